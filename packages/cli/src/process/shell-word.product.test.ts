import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellLine } from "./shell-word.ts";

const WORDS = [
  "plain",
  "two words",
  "it's",
  'say "hi"',
  "$HOME `id` \\ !",
  "",
  "+12025550100",
  "a;b|c&d",
  "100%",
  "ü🦊",
];

it.skipIf(process.platform === "win32")("creates a line that a shell splits into the original words", () => {
  const print = `${process.execPath} -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- `;
  expect(JSON.parse(execFileSync("sh", ["-c", print + shellLine(WORDS)], { encoding: "utf8" }))).toEqual(WORDS);
});
