// Runs the consumer's tests with Prism and the built packages, as a consumer would.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(new URL("../../examples/consumer-tests-prism/README.md", import.meta.url), "utf8");

it("the tests of the example pass with the command in the README", async () => {
  const [, words = ""] = /^node (--test .*)$/m.exec(readme) ?? [];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ["--test-reporter=tap", ...words.split(" ")], {
    cwd: root,
    env,
    timeout: 100_000,
  });
  expect(stdout).toMatch(/^# pass 5$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
