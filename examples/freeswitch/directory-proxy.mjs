// Answers mod_xml_curl with directory entries of the service, and adds the credential's headers, which FreeSWITCH cannot
// send. It needs only Node 20.
//
//   MSGCTL_BASE_URL=https://msgd.example MSGCTL_API_KEY=mkt_… MSGCTL_API_SECRET_FILE=/run/secrets/msgd node directory-proxy.mjs
//
// MSGCTL_API_KEY, MSGCTL_API_SECRET   the credential, or MSGCTL_API_KEY_FILE, MSGCTL_API_SECRET_FILE: files that contain it
// DIRECTORY_HOST, DIRECTORY_PORT      default 127.0.0.1 and 4830; anyone who reaches it can read the directory

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const UPSTREAM_TIMEOUT_MS = 4_000;
/** Maximum length of a request or reply. mod_xml_curl's requests have about 2 KiB; directory entries are shorter. */
const BODY_LIMIT_BYTES = 65_536;
const NOT_FOUND = `<?xml version="1.0" encoding="UTF-8"?>
<document type="freeswitch/xml">
  <section name="result">
    <result status="not found"/>
  </section>
</document>
`;

const { MSGCTL_BASE_URL: baseUrl, DIRECTORY_HOST: host = "127.0.0.1", DIRECTORY_PORT: port = "4830" } = process.env;
const apiKey = readSetting("MSGCTL_API_KEY");
const apiSecret = readSetting("MSGCTL_API_SECRET");
if (!baseUrl || !apiKey || !apiSecret) {
  console.error("MSGCTL_BASE_URL, MSGCTL_API_KEY and MSGCTL_API_SECRET (or their _FILE) are needed.");
  process.exit(2);
}

/**
 * Returns the value of a variable, or the content of the file that `<name>_FILE` names.
 * @param {string} name
 */
function readSetting(name) {
  const path = process.env[`${name}_FILE`];
  return path === undefined ? process.env[name] : readFileSync(path, "utf8").trim();
}

/**
 * Reads a body as text, up to the limit.
 * @param {AsyncIterable<Uint8Array>} body
 * @param {string} name
 */
async function readBounded(body, name) {
  const chunks = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw new Error(`${name} is longer than ${BODY_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Reads FreeSWITCH's request from the query and, if its binding uses POST, from the form.
 * @param {import("node:http").IncomingMessage} request
 */
async function readQuestion(request) {
  const { searchParams } = new URL(request.url ?? "/", "http://proxy");
  const form = await readBounded(request, "the request");
  for (const [name, value] of new URLSearchParams(form)) searchParams.set(name, value);
  return searchParams;
}

/**
 * The directory document for a request. The service has entries for users only.
 * @param {URLSearchParams} question
 */
async function answer(question) {
  const user = question.get("user") || (question.get("key_name") === "id" ? question.get("key_value") : "");
  if (question.get("section") !== "directory" || !user) return NOT_FOUND;
  const domain = question.get("domain");
  const identifier = domain ? `${user}@${domain}` : user;
  const path = `api/v1/voice/provisioning/freeswitch/directory/${encodeURIComponent(identifier)}`;
  const reply = await fetch(new URL(path, `${baseUrl?.replace(/\/*$/, "")}/`), {
    headers: { "x-api-key": apiKey ?? "", "x-api-secret": apiSecret ?? "", accept: "application/xml" },
    redirect: "error",
    signal: AbortSignal.timeout(UPSTREAM_TIMEOUT_MS),
  });
  if (!reply.ok) throw new Error(`the service answered ${reply.status}, request ${reply.headers.get("x-request-id")}`);
  const body = /** @type {import("node:stream/web").ReadableStream<Uint8Array> | null} */ (reply.body);
  return body === null ? "" : readBounded(body, "the service's answer");
}

const server = createServer(async (request, response) => {
  try {
    if (request.method !== "GET" && request.method !== "POST") return void response.writeHead(405).end();
    const document = await answer(await readQuestion(request));
    response.writeHead(200, { "content-type": "application/xml", "cache-control": "no-store" }).end(document);
  } catch (error) {
    // FreeSWITCH ignores any status but 200, and tries its next binding. Its request is not logged.
    console.error(`no answer: ${error instanceof Error ? error.message : error}`);
    response.writeHead(502, { connection: "close" }).end();
  }
});
server.requestTimeout = 10_000;
server.listen(Number(port), host, () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`listening on http://${host}:${address.port}`);
});
