import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, reply, SECRET, service, type World } from "../../testing/world.ts";
import type { Check } from "./check.ts";

const operationIds = catalog.index.groups.flatMap(({ commands }) => commands.map(({ operationId }) => operationId));
const { contractVersion } = catalog.index;

interface Served {
  version?: string;
  operationIds?: readonly string[];
  contractStatus?: number;
  alertsStatus?: number;
  date?: string;
}

/** A service that is as well as `served` lets it be. */
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

/** Runs it and gives the results by name. */
async function examine(world: Partial<World>, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await msgctl(["doctor", "-o", "json", ...flags], { catalog, ...world });
  expect(stdout + stderr).not.toContain(SECRET);
  const found = JSON.parse(stdout) as Check[];
  const statuses = Object.fromEntries(found.map(({ check, status }) => [check, status]));
  const said = Object.fromEntries(found.map(({ check, message, fix }) => [check, `${message} ${fix ?? ""}`]));
  return { exitCode, statuses, said, error: stderr === "" ? undefined : JSON.parse(stderr) };
}

const WELL = {
  ...{ node: "ok", configuration: "ok", "credential source": "ok", address: "ok", tls: "ok", clock: "ok" },
  ...{ contract: "ok", credential: "ok" },
};

it("finds nothing where all is well", async () => {
  const { env } = await start();
  const { exitCode, statuses, said, error } = await examine({ env });
  expect([exitCode, statuses, error]).toEqual([0, WELL, undefined]);
  expect(said["credential source"]).toContain("environment");
  expect(said.contract).toContain(contractVersion);
});

it("says in words what is well, and how to mend what is not", async () => {
  const { env } = await start({ alertsStatus: 401 });
  const { exitCode, stdout, stderr } = await msgctl(["doctor"], { env, catalog });
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^ok {4}node {15}Node\.js 22\.1\.0\n/);
  expect(stdout).toMatch(/\nfail {2}credential {9}No\.\n {25}\S/);
  expect(stderr).toMatch(/^error: 1 of 8 checks failed: credential\nhint: /);
});

describe("warns, and ends with 0,", () => {
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000).toUTCString();
  it.each<[string, Served, keyof typeof WELL, RegExp]>([
    ["of a clock that is wrong", { date: hoursAgo }, "clock", /^7\d{3} seconds ahead of the service's .*NTP/],
    ["of another version", { version: "99.0.0" }, "contract", /the service has 99\.0\.0, msgctl /],
    [
      "of new operations",
      { operationIds: [...operationIds, "fly"] },
      "contract",
      /without a command here: fly .*`msgctl api`/,
    ],
    ["of absent operations", { operationIds: operationIds.slice(1) }, "contract", /not served: upsertMerchant /],
    ["of no contract", { contractStatus: 404 }, "contract", /HTTP 404 for \/openapi\.json.*without \/api\/v1/],
  ])("%s", async (_, served, check, message) => {
    const { env } = await start(served);
    const { exitCode, statuses, said } = await examine({ env });
    expect([exitCode, statuses]).toEqual([0, { ...WELL, [check]: "warn" }]);
    expect(said[check]).toMatch(message);
  });
});

describe("fails", () => {
  it("3: without a credential", async () => {
    const { exitCode, statuses, said, error } = await examine({});
    expect([exitCode, error]).toMatchObject([3, { code: "doctor_failed", exitCode: 3 }]);
    const skipped = { address: "skip", tls: "skip", clock: "skip", contract: "skip", credential: "skip" };
    expect(statuses).toEqual({ ...WELL, ...skipped, "credential source": "fail" });
    expect(said["credential source"]).toContain("auth login");
  });

  it("6: where nothing listens", async () => {
    const { env } = await start();
    const { exitCode, statuses, said } = await examine({ env: { ...env, MSGCTL_BASE_URL: "http://127.0.0.1:1" } });
    expect(exitCode).toBe(6);
    expect(statuses).toEqual({ ...WELL, address: "fail", clock: "skip", contract: "skip", credential: "skip" });
    expect(said.address).toContain("npm start");
  });

  it("6: where TLS is not spoken", async () => {
    const { env, baseUrl } = await start();
    const secure = { ...env, MSGCTL_BASE_URL: baseUrl.replace("http:", "https:") };
    const { exitCode, statuses } = await examine({ env: secure });
    expect(exitCode).toBe(6);
    expect(statuses).toEqual({ ...WELL, tls: "fail", clock: "skip", contract: "skip", credential: "skip" });
  });

  it("1: on a Node.js that is too old", async () => {
    const { env } = await start();
    const { exitCode, statuses, said } = await examine({ env, nodeVersion: "18.20.4" });
    expect([exitCode, statuses]).toEqual([1, { ...WELL, node: "fail" }]);
    expect(said.node).toContain("expected 20.19 or newer");
  });

  it("3: on a configuration that is broken or that others may read", async ({ skip }) => {
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
