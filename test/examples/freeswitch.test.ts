// Tests the proxy between FreeSWITCH and a real server. This test plays the part of FreeSWITCH.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
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
  const provisioning = join(folder.parent, "provisioning.json");
  writeFileSync(provisioning, readFileSync(join(root, "examples/freeswitch/provisioning.json")), { mode: 0o600 });
  folder.command("provisioning", "import", provisioning, "--tenant", "1");
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

/** Some of the fields that mod_xml_curl sends when a phone registers. */
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

/** Sends the fields as the binding does: as a form, or as a query. */
async function ask(method: "POST" | "GET", asked: Record<string, string>): Promise<[status: number, document: string]> {
  const form = new URLSearchParams(asked);
  const response = await (method === "POST"
    ? fetch(`${proxy.origin}/directory`, { method, body: form })
    : fetch(`${proxy.origin}/directory?${form}`));
  return [response.status, await response.text()];
}

describe.each(["POST", "GET"] as const)("a directory entry requested by %s", (method) => {
  it.each(["1001", "dana"])("is that of %s", async (user) => {
    const [status, document] = await ask(method, question(user));
    expect(status).toBe(200);
    expect(document).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<document type="freeswitch\/xml">/);
    expect(document).toContain('<domain name="bright-dental.example">');
    expect(document).toContain('<user id="dana" number-alias="1001">');
    expect(document).toMatch(/<param name="a1-hash" value="[0-9a-f]{32}"\/>/);
    expect(document).toContain('<variable name="sip-force-user" value="dana"/>');
    expect(document).not.toContain("invented-for-the-demo");
  });

  it.each([
    ["of a user who does not exist", question("1999")],
    ["of another domain", question("1001", "elsewhere.example")],
    ["whose user is a path", question("../../merchants")],
    ["without a user", { section: "directory", purpose: "gateways" }],
    ["of another section", { ...question("1001"), section: "dialplan" }],
  ])("%s is not found", async (_, asked) => {
    expect(await ask(method, asked)).toEqual([200, expect.stringContaining('<result status="not found"/>')]);
  });
});

/** Sends a request as mod_xml_curl does: unescaped field values in the binding's address, then the fields as the query. */
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

// FreeSWITCH logs any status except 200 as an error. At its start it requests gateways, not only users.
it.each([
  ["a user", question("1001"), '<user id="dana" number-alias="1001">'],
  ["a user of another domain", question("1001", "elsewhere.example"), '<result status="not found"/>'],
  ["no user", { section: "directory", purpose: "gateways" }, '<result status="not found"/>'],
])("without the proxy, msgd itself answers a binding that requests %s", async (_, asked, shown) => {
  expect(await askDirectly(asked)).toEqual([200, expect.stringContaining(shown)]);
});

it("the proxy refuses requests that are too long, and other methods", async () => {
  const long = await fetch(`${proxy.origin}/directory`, { method: "POST", body: "x".repeat(100_000) }).catch(
    () => null,
  );
  // the reply may be lost, because the server does not read the whole body
  expect([502, undefined]).toContain(long?.status);
  expect((await fetch(`${proxy.origin}/directory`, { method: "DELETE" })).status).toBe(405);
});

it("the proxy reads no more of an answer than the largest possible directory entry", async () => {
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
    const line = "no answer: the service's answer is longer than 65536 bytes";
    await expect.poll(() => before.written).toContain(line);
    await isCut;
  } finally {
    await before.end();
    await endless.close();
  }
});

function* repeat(text: string): Generator<string> {
  for (;;) yield text;
}

it("the proxy does not start without a credential", () => {
  const start = () =>
    execFileSync(process.execPath, [join(root, proxyPath)], {
      ...{ env: { MSGCTL_BASE_URL: server.baseUrl }, stdio: "pipe", timeout: 100_000 },
    });
  expect(start).toThrow(/MSGCTL_API_SECRET \(or their _FILE\) are needed/);
});

it("the proxy answers 502 while the service does not answer, and logs no credential or requested field", async () => {
  await server.end("SIGTERM");
  expect(await ask("POST", question("1001"))).toEqual([502, ""]);
  const { apiKey, apiSecret } = folder.demoCredential;
  const written = () => proxy.written.join("\n");
  await expect.poll(written).toContain("no answer: ");
  for (const hidden of [apiKey, apiSecret, "198.51.100.7"]) expect(written()).not.toContain(hidden);
});

it("the proxy listens by default on the address of FreeSWITCH's binding", () => {
  const binding = readFileSync(join(root, "examples/freeswitch/conf/xml_curl.conf.xml"), "utf8");
  const url = new URL(/name="gateway-url" value="([^"]+)"/.exec(binding)?.[1] ?? "");
  const source = readFileSync(join(root, proxyPath), "utf8");
  expect(source).toContain(`DIRECTORY_HOST: host = "${url.hostname}", DIRECTORY_PORT: port = "${url.port}"`);
});

describe("FreeSWITCH's configuration", () => {
  const conf = join(root, "examples/freeswitch/conf");
  const files = readdirSync(conf, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".xml"));
  const provisioning = JSON.parse(readFileSync(join(root, "examples/freeswitch/provisioning.json"), "utf8"));

  /** Reads the attributes of all elements with a name, using Python's XML parser. Throws for invalid XML. */
  function readElements(file: string, name: string): Record<string, string>[] {
    const script =
      "import json,sys,xml.etree.ElementTree as t;print(json.dumps([e.attrib for e in t.parse(sys.argv[1]).iter(sys.argv[2])]))";
    return JSON.parse(execFileSync("python3", ["-c", script, join(conf, file), name], { encoding: "utf8" }));
  }

  it("consists of four files of well-formed XML", () => {
    expect(files.sort()).toEqual(
      [
        "dialplan/bright-dental.xml",
        "sip_profiles/bright-dental.xml",
        "xml_curl-direct.conf.xml",
        "xml_curl.conf.xml",
      ].map((name) => name.replaceAll("/", sep)),
    );
    for (const file of files) expect(readElements(file, "*")).not.toEqual([]);
  });

  it("challenges, looks up and registers phones under the domain of the provisioning", () => {
    const file = "sip_profiles/bright-dental.xml";
    const params = Object.fromEntries(readElements(file, "param").map(({ name = "", value }) => [name, value]));
    const { sipDomain, udpPort } = provisioning;
    const realm = ["challenge-realm", "force-register-domain", "force-register-db-domain", "force-subscription-domain"];
    expect(realm.map((name) => params[name])).toEqual(realm.map(() => sipDomain));
    expect(readElements(file, "alias")).toEqual([{ name: sipDomain }]);
    expect(params["sip-port"]).toBe(String(udpPort));
    expect(params).toMatchObject({ "auth-calls": "true", "accept-blind-reg": "false", "accept-blind-auth": "false" });
  });

  it("calls a user of the provisioning by extension and by name, and nothing else", () => {
    const file = "dialplan/bright-dental.xml";
    const [group, user] = readElements(file, "condition").map(({ expression = "" }) => new RegExp(expression));
    expect(group?.test("2000")).toBe(true);
    const [{ extension, sipUsername }] = provisioning.sipUsers;
    for (const dialled of [extension, sipUsername]) expect(user?.exec(dialled)?.[1]).toBe(dialled);
    const escaping = ["1001,sofia/gateway/x/900", "a|b", "[x=y]a", "\u0024{system(id)}", "a@b", ""];
    for (const dialled of escaping) expect(user?.test(dialled), dialled).toBe(false);
  });
});

it.skipIf(!hasSystemd)("the example has a unit that systemd accepts", () => {
  expect(complaintsAbout([join(root, "examples/freeswitch/directory-proxy.service")])).toEqual([]);
});
