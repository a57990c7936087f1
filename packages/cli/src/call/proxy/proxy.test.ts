/** Tests commands behind a proxy that connects to a server on the loopback interface, and the proxy variables. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { catalog } from "../../catalog.ts";
import { createForward } from "../../commands/listen/forward.ts";
import { readSettings } from "../../process/config.ts";
import { makeCertificate } from "../../testing/certificates.ts";
import { type ProxyOptions, startProxy } from "../../testing/proxy.ts";
import { folder, msgctl, reply, type Service, service } from "../../testing/world.ts";
import { withChecksum } from "../access/credential-form.ts";
import { findProxy } from "./find-proxy.ts";

const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100", "--retries", "0"];
const PASSWORD = "p@ss%word";
const USER = `ada:${encodeURIComponent(PASSWORD)}`;

/** Makes this process accept any certificate during a test. */
function trustAll(): void {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
}

const answer = () => service((response) => reply(response, 200, { parcelId: 7 }));
const answerByTls = () => service((response) => reply(response, 200, { parcelId: 7 }), makeCertificate());

/** Runs a command for `address` behind a proxy that connects to the service. */
async function scene(
  { baseUrl, env }: Pick<Service, "baseUrl" | "env">,
  address: string,
  options: Partial<ProxyOptions> = {},
) {
  const proxy = await startProxy({ to: baseUrl, ...options });
  const run = (variables: Record<string, string>, argv = SEND) =>
    msgctl(argv, { env: { ...env, MSGCTL_BASE_URL: address, ...variables } });
  return { proxy, run };
}

it.each([
  ["HTTP_PROXY", (host: string) => `http://${host}`],
  ["http_proxy", (host: string) => host],
  ["ALL_PROXY", (host: string) => `http://${USER}@${host}/`],
])("uses %s for an http address", async (variable, format) => {
  const found = await answer();
  const { proxy, run } = await scene(found, "http://api.example/base");
  const { exitCode, stderr } = await run({ [variable]: format(proxy.host) });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(proxy.asked).toEqual(["POST http://api.example/base/depots/north/parcels"]);
  expect(proxy.credentials).toEqual([variable === "ALL_PROXY" ? `ada:${PASSWORD}` : undefined]);
  expect(found.received).toMatchObject([
    { method: "POST", headers: { host: "api.example", "x-api-key": "mkt_test_key" } },
  ]);
});

it.each(["HTTPS_PROXY", "https_proxy", "all_proxy"])("uses a tunnel to an https address with %s", async (variable) => {
  trustAll();
  const found = await answerByTls();
  const { proxy, run } = await scene(found, "https://api.example");
  const { exitCode, stderr } = await run({ [variable]: `http://${USER}@${proxy.host}` });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect([proxy.asked, proxy.credentials]).toEqual([["CONNECT api.example:443"], [`ada:${PASSWORD}`]]);
  expect(found.received).toMatchObject([{ url: "/depots/north/parcels", headers: { host: "api.example" } }]);
});

it("uses a proxy with an https URL, for http and https addresses", async () => {
  trustAll();
  const certificate = makeCertificate();
  const secure = await scene(await answerByTls(), "https://api.example:8443", { certificate });
  const plain = await scene(await answer(), "http://api.example", { certificate });
  expect(await secure.run({ HTTPS_PROXY: `https://${secure.proxy.host}` })).toMatchObject({ exitCode: 0 });
  expect(await plain.run({ HTTP_PROXY: `https://${plain.proxy.host}` })).toMatchObject({ exitCode: 0 });
  expect(secure.proxy.asked).toEqual(["CONNECT api.example:8443"]);
});

it("reports an invalid certificate of the service behind a tunnel, too", async () => {
  const { proxy, run } = await scene(await answerByTls(), "https://api.example");
  const { exitCode, stderr } = await run({ HTTPS_PROXY: proxy.host });
  expect([exitCode, stderr]).toEqual([
    6,
    expect.stringMatching(/^error: the certificate of api\.example is self-signed/),
  ]);
});

it("never uses a proxy for a loopback address", async () => {
  const found = await answer();
  const { proxy, run } = await scene(found, found.baseUrl);
  expect(await run({ HTTP_PROXY: proxy.host, ALL_PROXY: proxy.host })).toMatchObject({ exitCode: 0 });
  expect(proxy.asked).toEqual([]);
});

it.each([
  ["HTTPS_PROXY", "https://api.example", { connectStatus: 407 }],
  ["HTTP_PROXY", "http://api.example", { status: 407 }],
])("reports that the proxy in %s requires a password, and says how to give one", async (variable, address, options) => {
  const { proxy, run } = await scene(await answer(), address, options);
  const asking = await run({ [variable]: proxy.host });
  expect(asking.exitCode).toBe(6);
  expect(asking.stderr).toContain(
    `error: the proxy http://${proxy.host} (${variable}) asks for a user name and a password\n` +
      `hint: Add them to ${variable}, as http://<user>:<password>@${proxy.host} (write @ as %40), or name api.example in NO_PROXY to go without a proxy.\n`,
  );
  const refusing = await run({ [variable]: `http://${USER}@${proxy.host}` });
  expect(refusing.stderr).toContain(`the proxy http://${proxy.host} (${variable}) refuses the user name and password`);
  for (const { stderr } of [asking, refusing]) expect(stderr).not.toMatch(/p@ss|p%40ss|may have succeeded/);
});

it("says that an unexpected page may come from the proxy", async () => {
  const { proxy, run } = await scene(await answer(), "http://api.example", { status: 503 });
  const { exitCode, stderr } = await run({ HTTP_PROXY: proxy.host });
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining("may come from the proxy that HTTP_PROXY names")]);
});

it("reports a proxy that refuses a tunnel", async () => {
  const { proxy, run } = await scene(await answer(), "https://api.example", { connectStatus: 502 });
  const { exitCode, stderr } = await run({ HTTPS_PROXY: `http://${USER}@${proxy.host}` });
  expect(exitCode).toBe(6);
  expect(stderr).toContain(`the proxy http://${proxy.host} (HTTPS_PROXY) does not connect to api.example (HTTP 502)\n`);
  expect(stderr).toMatch(/hint: .*ask the operator of the proxy/);
  expect(stderr).not.toMatch(/p@ss|p%40ss|may have succeeded/);
});

it.each([
  ["HTTPS_PROXY", "https://api.example"],
  ["HTTP_PROXY", "http://api.example"],
])("reports that the proxy in %s is unreachable", async (variable, address) => {
  const { run } = await scene(await answer(), address);
  const { exitCode, stderr } = await run({ [variable]: `http://${USER}@127.0.0.1:1` });
  expect(exitCode).toBe(6);
  expect(stderr).toContain(`the proxy http://127.0.0.1:1 (${variable}) cannot be used: nothing is listening there\n`);
  expect(stderr).toContain(`hint: Correct ${variable}, or name api.example in NO_PROXY to go without a proxy.\n`);
  expect(stderr).not.toMatch(/p@ss|p%40ss|may have succeeded|npm start/);
});

it.each([
  [
    "socks5://ada:p4ss@127.0.0.1:1080",
    /^error: ALL_PROXY names a SOCKS proxy \(socks5:\/\/\), which .*; nothing was sent\nhint: Set HTTPS_PROXY to an HTTP/,
  ],
  ["http://", /^error: ALL_PROXY names not a proxy address; nothing was sent\nhint: Set ALL_PROXY to/],
  ["ftp://ada:p4ss@proxy.example", /^error: ALL_PROXY names not a proxy address; nothing was sent/],
])("refuses %j before anything is sent", async (text, words) => {
  const { run } = await scene(await answer(), "https://api.example");
  const { exitCode, stderr } = await run({ ALL_PROXY: text });
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(words)]);
  expect(stderr).not.toContain("p4ss");
  expect(await run({ ALL_PROXY: text }, [...SEND, "--dry-run"])).toMatchObject({ exitCode: 0 });
});

it("stops waiting for a proxy when --timeout has passed", async () => {
  const { proxy, run } = await scene(await answer(), "https://api.example", { connectStatus: 0 });
  const { exitCode, stderr } = await run({ HTTPS_PROXY: proxy.host }, [...SEND, "--timeout", "0.2"]);
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining("took longer than 200 ms")]);
  await expect.poll(() => proxy.open.size).toBe(0);
});

it("sends a list through few tunnels, and refuses an unusable proxy before the first row", async () => {
  trustAll();
  const found = await service(
    (response, { body }) => reply(response, 200, { ...JSON.parse(body), messageId: "m", status: "QUEUED" }),
    makeCertificate(),
  );
  const proxy = await startProxy({ to: found.baseUrl });
  const cwd = folder();
  const rows = Array.from({ length: 20 }, (_, row) => `m1,+1202555${String(row).padStart(4, "0")},Hello,OTP\n`);
  writeFileSync(join(cwd, "list.csv"), `merchantId,to,message,type\n${rows.join("")}`);
  const run = (HTTPS_PROXY: string) =>
    msgctl(["send", "bulk", "list.csv", "--channel", "SMS", "-y", "--concurrency", "2"], {
      ...{ catalog, cwd },
      env: { ...found.env, MSGCTL_BASE_URL: "https://api.example", HTTPS_PROXY },
    });
  expect(await run("socks5://proxy.example")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("SOCKS") });
  expect(await run(proxy.host)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("20 done") });
  expect([found.received.length, proxy.asked.length]).toEqual([20, expect.toSatisfy((count) => count <= 2)]);
});

it("checks the credential of auth login through the proxy", async () => {
  const proxy = await startProxy({ to: "http://127.0.0.1:1", status: 407 });
  const secret = withChecksum("mks_canary0000000000000000000000000000000000");
  const key = withChecksum("mkt_test_canary00000000000000a0");
  const env = { MSGCTL_BASE_URL: "http://api.example", HTTP_PROXY: proxy.host };
  const login = ["auth", "login", "--api-key", key, "--api-secret-file", "-"];
  const { exitCode, stderr } = await msgctl(login, { catalog, env, stdin: secret });
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining("asks for a user name and a password")]);
});

it("forwards listen's callbacks through the proxy", async () => {
  const found = await answer();
  const proxy = await startProxy({ to: found.baseUrl });
  const url = new URL("http://handler.example/callbacks");
  const { proxies } = readSettings({ HTTP_PROXY: proxy.host });
  const { signal } = new AbortController();
  const forward = createForward(url, { timeoutMs: 5000, signal, proxy: findProxy(proxies, url.href) });
  const delivery = { headers: {}, body: Buffer.from("{}") } as unknown as Parameters<typeof forward>[0];
  expect(await forward(delivery)).toMatchObject({ status: 200 });
  expect(proxy.asked).toEqual(["POST http://handler.example/callbacks"]);
});

it.each([
  ["", "https://api.example", true],
  ["*", "https://api.example", false],
  ["other.example,*", "https://api.example", false],
  ["api.example", "https://api.example", false],
  ["API.Example", "https://api.example", false],
  ["example", "https://api.example", false],
  [".example", "https://api.example", false],
  ["*.example", "https://api.example", false],
  ["pi.example", "https://api.example", true],
  ["a.api.example", "https://api.example", true],
  ["one.test  api.example", "https://api.example", false],
  ["api.example:443", "https://api.example", false],
  ["api.example:8443", "https://api.example", true],
  ["api.example:8443", "https://api.example:8443", false],
  [".example:80", "http://api.example", false],
  ["10.1.2.3", "https://10.1.2.3", false],
  ["10.0.0.0/8", "https://10.1.2.3", false],
  ["10.0.0.0/16", "https://10.1.2.3", true],
  ["10.0.0.0/99", "https://10.1.2.3", true],
  ["fd00::/8", "https://[fd00::1]", false],
  ["fd00::1", "https://[fd00::1]", false],
  ["[fd00::1]:443", "https://[fd00::1]", false],
  ["[fd00::1]:444", "https://[fd00::1]", true],
  [":443", "https://api.example", true],
  ["", "http://localhost:3000", false],
  ["", "http://127.0.0.1", false],
  ["", "http://[::1]:80", false],
])("with NO_PROXY=%j, a call to %s uses the proxy: %s", (NO_PROXY, address, isProxied) => {
  const { proxies } = readSettings({ ALL_PROXY: "http://proxy.example", NO_PROXY });
  expect(findProxy(proxies, address)?.variable).toBe(isProxied ? "ALL_PROXY" : undefined);
});
