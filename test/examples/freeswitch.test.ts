// The proxy between a FreeSWITCH, which the test stands for, and a real server.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { serve } from "../packages/loopback-service.ts";
import { ExampleProcess, root } from "./example-process.ts";
import { complaintsAbout, hasSystemd } from "./systemd.ts";

const proxyPath = "examples/freeswitch/directory-proxy.mjs";
const folder = new MsgdFolder();
let server: MsgdProcess;
let proxy: ExampleProcess;

beforeAll(async () => {
  server = await folder.serveDemo();
  folder.command("provisioning", "import", join(root, "examples/freeswitch/provisioning.json"), "--tenant", "1");
  const { apiKey, apiSecret } = folder.demoCredential;
  const secretFile = join(folder.parent, "secret");
  writeFileSync(secretFile, `${apiSecret}\n`, { mode: 0o600 });
  proxy = await ExampleProcess.start(proxyPath, {
    MSGCTL_BASE_URL: server.baseUrl,
    MSGCTL_API_KEY: apiKey,
    MSGCTL_API_SECRET_FILE: secretFile,
    DIRECTORY_PORT: "0",
  });
});
afterAll(async () => {
  await proxy?.end();
  await folder.remove();
});

/** Some of what mod_xml_curl sends when a phone registers. */
const question = (user: string, domain = "bright-dental.example") => ({
  hostname: "switch-1",
  section: "directory",
  tag_name: "domain",
  key_name: "name",
  key_value: domain,
  "Event-Name": "REQUEST_PARAMS",
  action: "sip_auth",
  sip_auth_method: "REGISTER",
  user,
  domain,
  ip: "198.51.100.7",
});

/** As its binding says: by a form, or by a query. */
async function ask(method: "POST" | "GET", asked: Record<string, string>): Promise<[status: number, document: string]> {
  const form = new URLSearchParams(asked);
  const response = await (method === "POST"
    ? fetch(`${proxy.origin}/directory`, { method, body: form })
    : fetch(`${proxy.origin}/directory?${form}`));
  return [response.status, await response.text()];
}

describe.each(["POST", "GET"] as const)("a directory entry asked for by %s", (method) => {
  it.each(["1001", "dana"])("is that of %s", async (user) => {
    const [status, document] = await ask(method, question(user));
    expect(status).toBe(200);
    expect(document).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<document type="freeswitch\/xml">/);
    expect(document).toContain('<domain name="bright-dental.example">');
    expect(document).toContain('<user id="dana" number-alias="1001">');
    expect(document).toMatch(/<param name="a1-hash" value="[0-9a-f]{32}"\/>/);
    expect(document).not.toContain("invented-for-the-demo");
  });

  it.each([
    ["of nobody", question("1999")],
    ["of another domain", question("1001", "elsewhere.example")],
    ["that climbs", question("../../merchants")],
    ["without a user", { section: "directory", purpose: "gateways" }],
    ["of another section", { ...question("1001"), section: "dialplan" }],
  ])("%s is not found", async (_, asked) => {
    expect(await ask(method, asked)).toEqual([200, expect.stringContaining('<result status="not found"/>')]);
  });
});

/** As mod_xml_curl fills a binding's address: values as they are, empty where the question has none; then the question. */
async function askDirectly(asked: Record<string, string>): Promise<[status: number, document: string]> {
  const binding = readFileSync(join(root, "examples/freeswitch/conf/xml_curl-direct.conf.xml"), "utf8");
  const [, url = ""] = /name="gateway-url" value="([^"]+)"/.exec(binding) ?? [];
  const filled = url.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => asked[name] ?? "");
  const { apiKey, apiSecret } = folder.demoCredential;
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}`;
  const here = filled.replace("https://msgd.example", server.baseUrl);
  const response = await fetch(`${here}?${new URLSearchParams(asked)}`, { headers: { authorization } });
  return [response.status, await response.text()];
}

// any status but 200 is an error in FreeSWITCH's log, and it asks for more than users: at its start, for gateways
it.each([
  ["a user", question("1001"), '<user id="dana" number-alias="1001">'],
  ["a user of another domain", question("1001", "elsewhere.example"), '<result status="not found"/>'],
  ["no user", { section: "directory", purpose: "gateways" }, '<result status="not found"/>'],
])("msgd itself answers a binding without the proxy, asked for %s", async (_, asked, shown) => {
  expect(await askDirectly(asked)).toEqual([200, expect.stringContaining(shown)]);
});

it("refuses what is too long, and other methods", async () => {
  const long = await fetch(`${proxy.origin}/directory`, { method: "POST", body: "x".repeat(100_000) }).catch(
    () => null,
  );
  // the reply may be lost, as the rest of the body is not read
  expect([502, undefined]).toContain(long?.status);
  expect((await fetch(`${proxy.origin}/directory`, { method: "DELETE" })).status).toBe(405);
});

it("reads no more of an answer than a directory entry can have", async () => {
  let cut = () => {};
  const isCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  const endless = await serve((_, response) => {
    response.on("close", cut);
    Readable.from(repeat("x".repeat(16_384))).pipe(response);
  });
  const { apiKey, apiSecret } = folder.demoCredential;
  const credential = { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret };
  const before = await ExampleProcess.start(proxyPath, {
    ...{ MSGCTL_BASE_URL: endless.origin, DIRECTORY_PORT: "0", ...credential },
  });
  try {
    const response = await fetch(`${before.origin}/directory?${new URLSearchParams(question("1001"))}`);
    expect([response.status, await response.text()]).toEqual([502, ""]);
    expect(before.written).toContain("no answer: the service's answer is longer than 65536 bytes");
    await isCut;
  } finally {
    await before.end();
    await endless.close();
  }
});

function* repeat(text: string): Generator<string> {
  for (;;) yield text;
}

it("does not start without a credential", () => {
  const start = () =>
    execFileSync(process.execPath, [join(root, proxyPath)], {
      ...{ env: { MSGCTL_BASE_URL: server.baseUrl }, stdio: "pipe", timeout: 10_000 },
    });
  expect(start).toThrow(/MSGCTL_API_SECRET \(or their _FILE\) are needed/);
});

it("answers 502 while the service does not answer, and logs neither the credential nor what was asked", async () => {
  await server.end("SIGTERM");
  expect(await ask("POST", question("1001"))).toEqual([502, ""]);
  const { apiKey, apiSecret } = folder.demoCredential;
  const written = proxy.written.join("\n");
  expect(written).toContain("no answer: ");
  for (const hidden of [apiKey, apiSecret, "198.51.100.7"]) expect(written).not.toContain(hidden);
});

it("is named by FreeSWITCH's binding at the address that it listens on by itself", () => {
  const binding = readFileSync(join(root, "examples/freeswitch/conf/xml_curl.conf.xml"), "utf8");
  const url = new URL(/name="gateway-url" value="([^"]+)"/.exec(binding)?.[1] ?? "");
  const source = readFileSync(join(root, proxyPath), "utf8");
  expect(source).toContain(`DIRECTORY_HOST: host = "${url.hostname}", DIRECTORY_PORT: port = "${url.port}"`);
});

it.skipIf(!hasSystemd)("has a unit that systemd reads without a complaint", () => {
  expect(complaintsAbout([join(root, "examples/freeswitch/directory-proxy.service")])).toEqual([]);
});
