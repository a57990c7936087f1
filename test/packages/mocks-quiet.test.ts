// A consumer's tests abandon calls under msw, by an abort signal, a time limit or a reset. Both test runners print only their
// report.

import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "mocks-quiet-")));

/** The consumer's test file for a runner that exports `test`. */
const consumerTests = (runner: string) => `
import assert from "node:assert/strict";
import { createMockService } from "@msgctl/mocks";
import { AbortedError, MessagingClient, TimeoutError } from "@msgctl/sdk";
import { setupServer } from "msw/node";
import { test } from "${runner}";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };

async function withMock(act) {
  const service = await createMockService();
  const { baseUrl, apiKey, apiSecret } = service;
  await service.failNext("sendSms", { latencyMs: 60_000, times: 10 });
  const server = setupServer(...service.handlers);
  server.listen({ onUnhandledRequest: "error" });
  try {
    const asked = new Promise((resolve) => server.events.on("request:start", resolve));
    await act(new MessagingClient({ baseUrl, apiKey, apiSecret, maxRetries: 0 }), service, asked);
  } finally {
    server.close();
    await service.close();
  }
}

test("aborted", () =>
  withMock(async (client) => {
    const signal = AbortSignal.timeout(50);
    await assert.rejects(client.send.sms(sms, { signal }), AbortedError);
  }));

test("timed out", () =>
  withMock(async (client) => {
    await assert.rejects(client.send.sms(sms, { timeoutMs: 50 }), TimeoutError);
  }));

test("reset meanwhile", () =>
  withMock(async (client, service, asked) => {
    const sent = client.send.sms(sms).safe();
    await asked;
    await service.reset();
    await sent;
  }));
`;

beforeAll(() => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "node.mjs"), consumerTests("node:test"));
  writeFileSync(join(folder, "vitest.spec.mjs"), consumerTests("vitest"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test runner that does not detect the surrounding one. Returns both output streams. */
async function runNode(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { NODE_OPTIONS: _options, VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return run(process.execPath, args, { cwd: folder, env: { ...env, NO_COLOR: "1" }, timeout: 120_000 });
}

describe("an abandoned call prints nothing", () => {
  it("under node:test", async () => {
    const { stdout, stderr } = await runNode("--test", "--test-reporter", "tap", "node.mjs");
    expect(stderr).toBe("");
    // in a TAP report, other output appears as comments
    const comments = stdout
      .split("\n")
      .filter((line) => /^\s*#(?! Subtest| (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) )/.test(line));
    expect(comments).toEqual([]);
    expect(stdout).toMatch(/^# pass 3$/m);
  });

  it("under vitest", async () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    // a busy machine exceeds the runner's own limits of 5 s
    const limits = ["--testTimeout=100000", "--hookTimeout=100000"];
    const flags = ["vitest.spec.mjs", "--root", folder, "--reporter", "json", ...limits];
    const { stdout, stderr } = await runNode(vitest, "run", ...flags);
    expect(stderr).toBe("");
    // other output would make this invalid JSON
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 3 });
  });
});
