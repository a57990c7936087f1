// A batch followed to its end by both programs, against a real server.

import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cleanEnvironment, msgctlPath } from "../e2e/msgctl-process.ts";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { argsOf, root } from "./example-process.ts";

const HEARD = "+12025550100";
const BUSY = "+12025550130";
const VOICEMAIL = "+12025550132";
const folder = new MsgdFolder();
let server: MsgdProcess;

beforeAll(async () => {
  server = await folder.serveDemo();
});
afterAll(() => folder.remove());

function run(file: string, args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { apiKey, apiSecret } = folder.demoCredential;
  const env = {
    ...cleanEnvironment(folder.parent),
    ...{ MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl },
    MSGCTL: `${process.execPath} ${msgctlPath}`,
  };
  return new Promise((resolve) => {
    execFile(file, args, { cwd: root, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it("follow.ts tells each call's cost, and the batch's", async () => {
  const { code, stdout, stderr } = await run(process.execPath, [
    ...argsOf("examples/tts-batch/follow.ts"),
    ...[HEARD, BUSY, VOICEMAIL],
  ]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/under way/)]);
  const [first, ...others] = stdout.trim().split("\n");
  const last = others.pop();
  expect(first).toMatch(/^batch \d+: estimated at 0\.\d+ USD$/);
  expect(others.map((line) => line.split(" ").slice(0, 2)).sort()).toEqual([
    [HEARD, "SUCCESS"],
    [BUSY, "FAILED"],
    [VOICEMAIL, "PARTIAL"],
  ]);
  const [, total] = /^COMPLETED_WITH_ERRORS: 1 of 3 heard, (0\.\d+) USD$/.exec(last ?? "") ?? [];
  const costs = others.map((line) => Number(line.split(" ")[2]));
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(Number(total), 6);
});

// a shell script, which Windows has no shell for
it.skipIf(process.platform === "win32").each([
  [[HEARD], 0, { status: "COMPLETED", success: 1, failed: 0 }],
  [[HEARD, BUSY], 8, { success: 1, failed: 1 }],
])("follow.sh %s ends with %i", async (numbers, expected, totals) => {
  const { code, stdout, stderr } = await run("sh", ["examples/tts-batch/follow.sh", ...numbers]);
  expect([code, stderr]).toEqual([expected, expect.any(String)]);
  expect(JSON.parse(stdout)).toMatchObject({ ...totals, totalCost: expect.any(Number) });
});
