// Runs the README of the mocks as a reader would. Each program is complete, compiles, runs, and exits.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consumerFaults } from "../e2e/consumer-faults.ts";
import { blocksOf } from "./markdown.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const blocks = blocksOf(readFileSync(join(root, "packages/mocks/README.md"), "utf8"));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "mocks-readme-")));

/** Output of each program, in order. */
const PRINTED = [
  /^# pass 1$/m,
  /^QUEUED\n$/,
  /^voice\.tts_call\.finalized$/m,
  // this program only prepares handlers, and sends nothing
  /^$/,
  /^200\n$/,
];

const programs = blocks
  .filter(({ language }) => language === "js")
  .map(({ text }, index) => ({
    text,
    file: join(folder, `program-${index}.mts`),
    printed: PRINTED[index] ?? /^none$/,
  }));

beforeAll(() => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  for (const { file, text } of programs) writeFileSync(file, text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("each block of the README is a program, or one of the known commands, outputs and snippets", () => {
  expect(programs).toHaveLength(PRINTED.length);
  const others = blocks.filter(({ language }) => language !== "js").map(({ text }) => text.trim());
  expect(others).toEqual([
    "npm install --save-dev @msgctl/mocks msw",
    expect.stringContaining("was refused with 400"),
    // run by test/packages/mocks-jest.test.ts
    expect.stringContaining("mockImplementation(service.fetch)"),
    expect.stringContaining("transformIgnorePatterns"),
    // run by test/packages/mocks-program.test.ts
    "npx @msgctl/mocks stateful --port 4010",
  ]);
});

it("the programs in the README compile unchanged", () => {
  const types = join(folder, "node.d.ts");
  writeFileSync(types, '/// <reference types="node" />\n');
  const files = [types, ...programs.map(({ file }) => file)];
  expect(consumerFaults(files, folder, { isAlone: true })).toBe("");
});

describe("a program", () => {
  it.each(programs.map(({ text, printed }, index) => [index, text, printed] as const))(
    "number %i runs and exits",
    async (index, text, printed) => {
      const file = join(folder, `program-${index}.mjs`);
      writeFileSync(file, text);
      const args = text.includes('from "node:test"') ? ["--test", "--test-reporter", "tap", file] : [file];
      // set by a surrounding test runner, to which node:test would report
      const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
      const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env });
      expect([stdout, stderr]).toEqual([expect.stringMatching(printed), ""]);
    },
  );
});
