// `msgctl-conformance` against a real msgd, which follows the contract, and against one whose replies a proxy alters.

import { type ChildProcess, execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Conformance, checkConformance } from "../../packages/conformance/src/check-conformance.ts";
import { usage } from "../../packages/conformance/src/program/command-line.ts";
import { createHttpSend } from "../../packages/conformance/src/program/http-send.ts";
import type { OtherCredentials } from "../../packages/conformance/src/target/target.ts";
import { withServer } from "../../packages/conformance/src/testing/stub-server.ts";
import { exampleProvisioning } from "../../packages/server/src/testing/provisioning-example.ts";
import { npmCommand } from "../packages/packed.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import { type Credential, MsgdFolder, type SharedServer } from "./msgd-process.ts";
import { createOthers } from "./other-credentials.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = fileURLToPath(new URL("../../packages/conformance/bin/msgctl-conformance.js", import.meta.url));

/** Far longer than all checks take on a busy machine. */
const TOOL_BOUND_MS = 280_000;

let folder: MsgdFolder;
let server: SharedServer;
let credential: Credential;

beforeAll(async () => {
  folder = new MsgdFolder();
  server = await folder.shareDemo();
  credential = folder.demoCredential;
  const file = join(folder.parent, "provisioning.json");
  writeFileSync(file, JSON.stringify(exampleProvisioning(Number(credential.tenantId))), { mode: 0o600 });
  folder.command("provisioning", "import", file, "--tenant", credential.tenantId);
});
afterAll(() => folder.remove());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built tool. */
function conformance(
  args: readonly string[],
  own: Partial<Credential> = credential,
  others: OtherCredentials = {},
  started: (tool: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const env = { PATH: process.env.PATH, ...variables("MSGCTL", own) };
  for (const [name, other] of Object.entries(others)) {
    Object.assign(env, variables(`MSGCTL_${name.toUpperCase()}`, other));
  }
  return new Promise((resolve) => {
    const tool = execFile(
      process.execPath,
      [program, ...args],
      { env, timeout: TOOL_BOUND_MS },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    started(tool);
  });
}

function variables(prefix: string, { apiKey, apiSecret }: Partial<Credential>): NodeJS.ProcessEnv {
  return {
    ...(apiKey && { [`${prefix}_API_KEY`]: apiKey }),
    ...(apiSecret && { [`${prefix}_API_SECRET`]: apiSecret }),
  };
}

/** Runs the same check as the tool, in this process. */
function check(
  url: string,
  operationId: OperationId,
  { as = credential, maxRequests = 500 } = {},
): Promise<Conformance> {
  const send = createHttpSend(new URL(url), as, { requestTimeoutMs: 10_000, deadlineMs: 20_000, maxRequests });
  const prefix = `${new URL(url).port}-`;
  return checkConformance(send, { credential: as, others: {}, prefix, newNumber, pause: sleep }, [operationId]);
}

let numbers = 0;
function newNumber(): string {
  numbers += 1;
  return `+1202555${4_000 + numbers}`;
}

describe("a server that follows the contract", () => {
  it("has no violation, and every operation succeeds", async () => {
    const others = createOthers(folder);
    const { code, stdout } = await conformance(["--base-url", server.baseUrl, "-o", "json"], credential, others);
    const { violations, outcomes, promises, ended } = JSON.parse(stdout) as Conformance;
    expect([code, violations, ended]).toEqual([0, [], null]);
    expect(promises.filter(({ result }) => result !== "kept")).toEqual([]);
    expect(new Set(promises.map(({ operationId }) => operationId)).size).toBe(Object.keys(operations).length);
    const succeeded = outcomes.filter((outcome) => outcome.code === null && outcome.result === "reached");
    expect(succeeded.map(({ operationId }) => operationId)).toEqual(Object.keys(operations));
    const documented = Object.values(operations).reduce(
      (sum, { errors }) => sum + Object.values(errors).flat().length,
      0,
    );
    expect(outcomes.length).toBe(documented + succeeded.length);
    const unreachable = [
      ...["idempotency_in_progress", "internal_error", "malformed_http", "outcome_unknown"],
      ...["rate_limited", "registration_limit", "request_timeout", "unavailable"],
    ];
    const unreached = outcomes.filter(({ result }) => result !== "reached");
    // a failure shows the reason
    expect(unreached.filter(({ code }) => !unreachable.includes(String(code)))).toEqual([]);
    expect([...new Set(unreached.map(({ code }) => code))].sort()).toEqual(unreachable);
  });

  it("is reported as a table, limited to the requested operations", async () => {
    const { code, stdout, stderr } = await conformance(["--base-url", server.baseUrl, "--only", "merchants"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^OPERATION +2xx +400 +401 +403 /);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^[\n -~]*$/);
    expect(stdout.match(/^(upsertMerchant|listMerchants|getMerchant) +ok {2}ok /gm)).toHaveLength(3);
    expect(stdout).not.toContain("sendSms");
    expect(stdout).toMatch(
      /^no violations; \d+ of \d+ documented replies reached; \d+ of \d+ promises kept; \d+\s+requests$/m,
    );
    expect(stderr).toMatch(/writes to http:.*merchants named conformance-\w{8}-/);
    expect(stdout + stderr).not.toContain(credential.apiSecret);
  });
});

const merchantPath = /^\/api\/v1\/merchants\/[^/]+$/;
describe("a server that violates the contract", () => {
  it("is reported with the request, the received reply and the allowed one", async () => {
    const proxy = await startFaultyProxy(server.baseUrl, (reply, { path }) => {
      if (!merchantPath.test(path) || reply.status !== 200) return;
      reply.body = JSON.stringify({ ...JSON.parse(reply.body), active: "yes" });
    });
    const { code, stdout } = await conformance(["--base-url", proxy.url, "--only", "getMerchant"]);
    proxy.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^getMerchant +BAD/m);
    expect(stdout).toMatch(
      /^VIOLATION getMerchant: .*boolean.*\n {2}request {3}GET .*\n {2}received {2}200 \{.*\n {2}allowed {3}200 MerchantView as/m,
    );
  });
});

describe("a run that is cut short", () => {
  it("reports its findings at its time limit", async () => {
    const { outcomes, ended, violations } = await check(server.baseUrl, "listMerchants", { maxRequests: 13 });
    expect([ended, violations]).toEqual(["ended after 13 requests, the limit", []]);
    const results = outcomes.map(({ result }) => result);
    expect(new Set(results)).toEqual(new Set(["reached", "not reachable", "not asked"]));
    expect(results.indexOf("not asked")).toBeGreaterThan(results.lastIndexOf("reached"));
  });

  it("reports its findings after Ctrl-C", async () => {
    let tool: ChildProcess | undefined;
    let requests = 0;
    const listener: RequestListener = (_request, response) => {
      requests += 1;
      if (requests === 1) response.setHeader("content-type", "application/json").end("[]");
      else tool?.kill("SIGINT");
    };
    const { code, stdout } = await withServer(listener, (url) =>
      conformance(["--base-url", url, "--only", "alerts"], credential, {}, (started) => {
        tool = started;
      }),
    );
    expect([code, stdout]).toEqual([130, expect.stringMatching(/^listAlerts +\?.*not finished: interrupted\n$/ms)]);
  });
});

describe("a wrong credential", () => {
  it("is refused", async () => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl], { ...credential, apiSecret: "mks_no" });
    expect([code, stderr]).toEqual([3, expect.stringContaining("credentials_invalid")]);
  });

  it("is refused as the spare credential if it belongs to the same tenant, before the tool writes to the server", async () => {
    const { code, stderr } = await conformance(["--base-url", server.baseUrl], credential, { spare: credential });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/MSGCTL_SPARE_API_KEY must belong to a second tenant/)]);
    expect(stderr).not.toContain("writes to");
  });
});

it("npm run conformance shows the tool's usage", async () => {
  const { file, args, options } = npmCommand(["run", "--silent", "conformance", "--", "--help"]);
  const { stdout } = await promisify(execFile)(file, args, { ...options, cwd: root });
  expect(stdout).toBe(usage);
});
