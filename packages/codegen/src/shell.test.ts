import { expect, it } from "vitest";
import { commandLine } from "./shell.ts";

it.each([
  [["msgctl", "send", "it's Ann's"], "msgctl send 'it'\\''s Ann'\\''s'"],
  [["msgctl", "a", "--on", "--to", "+1", "--text", "$(x) `y`"], "msgctl a --on --to +1 --text '$(x) `y`'"],
  [
    ["msgctl", "send", "sms", "a b", "--on", "--message", "m".repeat(70)],
    `msgctl send sms 'a b' \\\n  --on \\\n  --message ${"m".repeat(70)}`,
  ],
])("%j is written as a shell reads it", (words, line) => {
  expect(commandLine(words)).toBe(line);
});
