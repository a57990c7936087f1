// Runs one program's tests under three runners with the built packages. All tests pass, without a network.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { installPeers } from "../bench/peers.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}examples/consumer-tests-msw`;
const jestFolder = `${root}.cache/jest`;
/** Also replaces the runners' own limits of 5 s for a test, which a busy machine exceeds. */
const TIMEOUT_MS = 100_000;
const names = [
  "reminds a guest once",
  "sends nothing to a guest who opted out",
  "retries after the service tells it to wait",
  "receives the outcome of a call after its receiver was down",
  "needs no interception if the client accepts a fetch function",
];

/** Runs node. Returns its output on both streams; rejects if it exits with an error. */
async function runNode(...args: string[]): Promise<string> {
  const { NODE_OPTIONS: _options, VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { stdout, stderr } = await run(process.execPath, args, {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
    timeout: TIMEOUT_MS,
  });
  return `${stdout}\n${stderr}`;
}

describe("the tests of the example", () => {
  it("pass under vitest", async () => {
    const vitest = `${root}node_modules/vitest/vitest.mjs`;
    const limits = [`--testTimeout=${TIMEOUT_MS}`, `--hookTimeout=${TIMEOUT_MS}`];
    const report = JSON.parse(
      (await runNode(vitest, "run", "--root", "vitest", "--reporter", "json", ...limits)).trim(),
    );
    expect(report.testResults[0].assertionResults.map(pick)).toEqual(names.map((title) => [title, "passed"]));
  });

  it("pass under node:test", async () => {
    const output = await runNode("--test", "--test-reporter", "tap", "node-test/reminders.spec.js");
    const passed = [...output.matchAll(/^\s*ok \d+ - (.*)$/gm)].map(([, name]) => name);
    expect(
      names.filter((name) => !passed.includes(name)),
      output,
    ).toEqual([]);
  });

  it("pass under jest", async ({ skip }) => {
    const { missing, failure } = await installPeers(`${folder}/jest`, jestFolder);
    skip(missing.length > 0, `npm could not install ${missing.join(", ")}: ${failure}`);
    const jest = `${jestFolder}/node_modules/jest/bin/jest.js`;
    const json = ["--config", "jest/jest.config.json", "--json", `--testTimeout=${TIMEOUT_MS}`];
    const output = await runNode("--experimental-vm-modules", "--no-warnings", jest, ...json);
    const report = JSON.parse(output.slice(output.indexOf('{"'), output.indexOf("\n")));
    expect(report.testResults[0].assertionResults.map(pick)).toEqual(names.map((title) => [title, "passed"]));
  });
});

function pick({ title, status }: { title: string; status: string }): [string, string] {
  return [title, status];
}
