import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { readSettings } from "../../process/config.ts";
import { makeCertificate } from "../../testing/certificates.ts";
import { startProxy } from "../../testing/proxy.ts";
import { folder, msgctl, reply, SECRET, service, type World } from "../../testing/world.ts";
import type { Check } from "./check.ts";
import type { Probe } from "./probe.ts";
import { checkTls } from "./service.ts";

const operationIds = catalog.index.groups.flatMap(({ commands }) => commands.map(({ operationId }) => operationId));
const { contractVersion } = catalog.index;

interface Served {
  version?: string;
  operationIds?: readonly string[];
  contractStatus?: number;
  alertsStatus?: number;
  date?: string;
}

/** Starts a service with the faults that `served` describes. */
function start(served: Served = {}) {
  return service((response, { url }) => {
    if (served.date !== undefined) response.setHeader("date", served.date);
    if (url !== "/openapi.json") {
      const { alertsStatus = 200 } = served;
      return reply(response, alertsStatus, alertsStatus === 200 ? [] : { code: "credentials_invalid", detail: "No." });
    }
    const ids = served.operationIds ?? operationIds;
    const paths = Object.fromEntries(ids.map((operationId) => [`/${operationId}`, { get: { operationId } }]));
    reply(response, served.contractStatus ?? 200, { info: { version: served.version ?? contractVersion }, paths });
  });
}

/** Runs doctor, and returns the results by name. */
async function examine(world: Partial<World>, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await msgctl(["doctor", "-o", "json", ...flags], { catalog, ...world });
  expect(stdout + stderr).not.toContain(SECRET);
  const found = JSON.parse(stdout) as Check[];
  const statuses = Object.fromEntries(found.map(({ check, status }) => [check, status]));
  const said = Object.fromEntries(found.map(({ check, message, fix }) => [check, `${message} ${fix ?? ""}`]));
  return { exitCode, statuses, said, error: stderr === "" ? undefined : JSON.parse(stderr) };
}

const WELL = {
  ...{ node: "ok", configuration: "ok", folders: "ok", "credential source": "ok", proxy: "ok", address: "ok" },
  ...{ tls: "ok", clock: "ok", contract: "ok", credential: "ok" },
};

it("finds no problem if everything works", async () => {
  const { env } = await start();
  const { exitCode, statuses, said, error } = await examine({ env });
  expect([exitCode, statuses, error]).toEqual([0, WELL, undefined]);
  expect(said["credential source"]).toContain("environment");
  expect(said.contract).toContain(contractVersion);
});

it("accepts an address that serves a web page beside the service", async () => {
  const { env } = await service((response, { url }) => {
    if (url === "/openapi.json") response.setHeader("content-type", "text/html").end("<h1>Hello</h1>");
    else reply(response, 200, []);
  });
  const { exitCode, statuses } = await examine({ env });
  expect([exitCode, statuses]).toEqual([0, { ...WELL, contract: "warn" }]);
});

describe("reports the proxy", () => {
  it("in use, without its password", async () => {
    const { env, baseUrl } = await start();
    const proxy = await startProxy({ to: baseUrl });
    const { statuses, said } = await examine({
      env: { ...env, MSGCTL_BASE_URL: "http://api.example", HTTP_PROXY: `http://ada:${SECRET}@${proxy.host}` },
    });
    expect(statuses).toEqual({ ...WELL, tls: "warn" });
    expect(said.proxy).toBe(`http://${proxy.host} (HTTP_PROXY) `);
    expect(proxy.asked[0]).toBe("GET http://api.example/openapi.json");
  });

  it.each([
    ["as none for a loopback address", {}, "ok", /^none for 127\.0\.0\.1:\d+: it is this machine/],
    [
      "that is not running",
      { MSGCTL_BASE_URL: "https://api.example", HTTPS_PROXY: "127.0.0.1:1" },
      "fail",
      /^the proxy .* nothing is listening there Correct HTTPS_PROXY/,
    ],
    [
      "that is a SOCKS proxy",
      { MSGCTL_BASE_URL: "https://api.example", ALL_PROXY: `socks5://a:${SECRET}@127.0.0.1` },
      "fail",
      /^ALL_PROXY names a SOCKS proxy/,
    ],
  ])("%s", async (_, variables, status, message) => {
    const { env } = await start();
    const { statuses, said } = await examine({ env: { ...env, HTTP_PROXY: "127.0.0.1:1", ...variables } });
    expect([statuses.proxy, statuses.address]).toEqual([status, status === "ok" ? "ok" : "skip"]);
    expect(said.proxy).toMatch(message);
  });
});

describe("the check of TLS reports", () => {
  const AT = { baseUrl: "https://api.example", apiKey: "k", apiSecret: "s" };
  const inDays = (days: number): Probe => ({
    ...{ status: 200, contentType: undefined, location: undefined, body: "", tookMs: 1, serviceTimeMs: undefined },
    ...{ ownTimeMs: 0, tls: { protocol: "TLSv1.3", expiresMs: days * 86_400_000 } },
  });

  it.each<[string, number, Record<string, string>, object]>([
    [
      "the date until which the certificate is valid",
      15,
      {},
      { status: "ok", message: "TLSv1.3, certificate until 1970-01-16" },
    ],
    [
      "whom to ask for a new certificate",
      10,
      {},
      { status: "warn", fix: "Ask the operator of api.example to renew the certificate." },
    ],
    [
      "that SSL_CERT_FILE is not used",
      15,
      { SSL_CERT_FILE: "ca.pem" },
      { message: expect.stringMatching(/; SSL_CERT_FILE is not used, NODE_EXTRA_CA_CERTS is$/) },
    ],
    [
      "nothing about SSL_CERT_FILE if Node.js uses it",
      15,
      { SSL_CERT_FILE: "ca.pem", NODE_OPTIONS: "--use-openssl-ca" },
      { message: "TLSv1.3, certificate until 1970-01-16" },
    ],
    [
      "that the file of NODE_EXTRA_CA_CERTS does not exist",
      15,
      { NODE_EXTRA_CA_CERTS: "/none.pem" },
      { status: "warn", message: "NODE_EXTRA_CA_CERTS names /none.pem, which cannot be read: there is no such file" },
    ],
  ])("%s", (_, days, env, check) => {
    expect(checkTls(AT, readSettings({ HOME: "/home/ada", ...env }), inDays(days))).toMatchObject(check);
  });
});

it("prints the result of each check for people, with the fix for a failed one", async () => {
  const { env } = await start({ alertsStatus: 401 });
  const { exitCode, stdout, stderr } = await msgctl(["doctor"], { env, catalog });
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^ok {4}node {15}Node\.js 22\.1\.0\n/);
  expect(stdout).toMatch(/\nfail {2}credential {9}No\.\n {25}\S/);
  expect(stderr).toMatch(/^error: 1 of 10 checks failed: credential\nhint: /);
});

describe("warns and exits with 0 because", () => {
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000).toUTCString();
  it.each<[string, Served, keyof typeof WELL, RegExp]>([
    ["the clock is wrong", { date: hoursAgo }, "clock", /^7\d{3} seconds ahead of the service's .*NTP/],
    ["the service has another version", { version: "99.0.0" }, "contract", /the service has 99\.0\.0, msgctl /],
    [
      "the service has new operations",
      { operationIds: [...operationIds, "fly"] },
      "contract",
      /without a command here: fly .*`msgctl api`/,
    ],
    [
      "the service lacks operations",
      { operationIds: operationIds.slice(1) },
      "contract",
      /not served: upsertMerchant /,
    ],
    [
      "the service serves no contract",
      { contractStatus: 404 },
      "contract",
      /HTTP 404 for \/openapi\.json.*address of the service/,
    ],
  ])("%s", async (_, served, check, message) => {
    const { env } = await start(served);
    const { exitCode, statuses, said } = await examine({ env });
    expect([exitCode, statuses]).toEqual([0, { ...WELL, [check]: "warn" }]);
    expect(said[check]).toMatch(message);
  });

  it.each([
    ["XDG_CONFIG_HOME", /msgctl cannot be written \(ENOTDIR\): send bulk, .* need it A part of the path is a file/],
    ["XDG_CACHE_HOME", /msgctl cannot be written \(ENOTDIR\): completion needs it A part of the path is a file/],
  ])("the folder in %s cannot be written", async (variable, message) => {
    const { env } = await start();
    const cwd = folder();
    writeFileSync(join(cwd, "file"), "");
    const { exitCode, statuses, said } = await examine({ cwd, env: { ...env, [variable]: join(cwd, "file") } });
    expect([exitCode, statuses]).toEqual([0, { ...WELL, folders: "warn" }]);
    expect(said.folders).toMatch(message);
  });
});

it("leaves no file in an existing folder", async () => {
  const { env } = await start();
  const cwd = folder();
  const configuration = join(cwd, ".config", "msgctl");
  mkdirSync(configuration, { recursive: true, mode: 0o700 });
  expect((await examine({ cwd, env })).statuses).toEqual(WELL);
  expect(readdirSync(configuration)).toEqual([]);
});

describe("exits with", () => {
  it("3 without a credential", async () => {
    const { exitCode, statuses, said, error } = await examine({});
    expect([exitCode, error]).toMatchObject([3, { code: "doctor_failed", exitCode: 3 }]);
    const skipped = {
      proxy: "skip",
      address: "skip",
      tls: "skip",
      clock: "skip",
      contract: "skip",
      credential: "skip",
    };
    expect(statuses).toEqual({ ...WELL, ...skipped, "credential source": "fail" });
    expect(said["credential source"]).toContain("auth login");
  });

  it("6 if nothing listens at the address", async () => {
    const { env } = await start();
    const { exitCode, statuses, said } = await examine({ env: { ...env, MSGCTL_BASE_URL: "http://127.0.0.1:1" } });
    expect(exitCode).toBe(6);
    expect(statuses).toEqual({ ...WELL, address: "fail", clock: "skip", contract: "skip", credential: "skip" });
    expect(said.address).toContain("npm start");
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      "a web page",
      (response) => response.setHeader("content-type", "text/html").end("<h1>Hi</h1>"),
      /shows a web page/,
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "https://login.hotel.example/" }).end(),
      /redirects to https:\/\/login\.hotel\.example\/: this response is not from the service/,
    ],
  ])("6 if %s comes instead of the service's response", async (_, answer, message) => {
    const { env } = await service(answer);
    const { exitCode, statuses, said } = await examine({ env });
    expect([exitCode, statuses.address, statuses.credential]).toEqual([6, "fail", "fail"]);
    expect(said.address).toMatch(message);
  });

  it("6 for a certificate that is not trusted, with the same message as every command", async () => {
    const { env } = await service(() => {}, makeCertificate());
    const { exitCode, statuses, said } = await examine({ env });
    expect([exitCode, statuses.address, statuses.tls]).toEqual([6, "ok", "fail"]);
    const { stderr } = await msgctl(["alerts", "list", "--retries", "0"], { env, catalog });
    const [message = "", hint = ""] = stderr.split("\n").map((line) => line.replace(/^(?:error|hint): /, ""));
    expect(said.tls).toBe(`${message} ${hint}`);
  });

  it("6 if the server does not speak TLS", async () => {
    const { env, baseUrl } = await start();
    const secure = { ...env, MSGCTL_BASE_URL: baseUrl.replace("http:", "https:") };
    const { exitCode, statuses } = await examine({ env: secure });
    expect(exitCode).toBe(6);
    expect(statuses).toEqual({ ...WELL, tls: "fail", clock: "skip", contract: "skip", credential: "skip" });
  });

  it("1 if Node.js is too old", async () => {
    const { env } = await start();
    const { exitCode, statuses, said } = await examine({ env, nodeVersion: "18.20.4" });
    expect([exitCode, statuses]).toEqual([1, { ...WELL, node: "fail" }]);
    expect(said.node).toContain("expected 20.19 or newer");
  });

  it("3 if the configuration is broken or other users can read it", async ({ skip }) => {
    if (process.platform === "win32") skip("Windows has no such modes");
    const { env } = await start();
    const cwd = folder();
    const configuration = join(cwd, ".config", "msgctl");
    mkdirSync(configuration, { recursive: true, mode: 0o700 });
    const credentials = join(configuration, "credentials.json");
    writeFileSync(credentials, JSON.stringify({ prod: { apiKey: "k", apiSecret: SECRET } }));
    chmodSync(credentials, 0o644);
    const exposed = await examine({ env, cwd });
    expect([exposed.exitCode, exposed.statuses]).toEqual([3, { ...WELL, configuration: "fail" }]);
    expect(exposed.said.configuration).toContain("chmod 600");
    writeFileSync(join(configuration, "config.json"), "{");
    const broken = await examine({ cwd });
    expect([broken.exitCode, broken.statuses.configuration]).toEqual([3, "fail"]);
    expect(broken.said.configuration).toContain("config.json does not hold a JSON object");
  });
});
