// The consumer's tests with Prism, run as a consumer runs them, with the built packages.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(new URL("../../examples/consumer-tests-prism/README.md", import.meta.url), "utf8");

it("pass, by the command in the README", async () => {
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
