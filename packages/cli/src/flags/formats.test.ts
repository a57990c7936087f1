/** The words for patterns, held to the contract's own. */
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { records } from "../generated/records.ts";
import { msgctl } from "../testing/world.ts";
import { PATTERN_WORDS } from "./formats.ts";

describe("the words for patterns", () => {
  it("are for each pattern of the contract that only leaves characters out, and for no other", () => {
    const patterns = Object.values(records).flatMap(({ inputs }) => inputs.map(({ pattern = "" }) => pattern));
    const leavingOut = patterns.filter((pattern) => /^\^\[\^.*\]\*\$$/.test(pattern));
    expect([...new Set(leavingOut)].sort()).toEqual(Object.keys(PATTERN_WORDS).sort());
  });

  it.each([
    ["send sms", "message", "a\0b", "text without U+0000"],
    ["send email", "subject", "a\0b", "text on one line, without U+0000"],
    ["send email", "subject", "a\nb", "text on one line, without U+0000"],
    ["merchants upsert", "displayName", "a\tb", "text without control characters"],
  ])("are what %s says of a %s in a file that is %j", async (command, field, value, expected) => {
    const stdin = JSON.stringify({ [field]: value });
    const { exitCode, stderr } = await msgctl([...command.split(" "), "--body-file", "-"], { catalog, stdin });
    const said = `--body-file ${field}: received ${JSON.stringify(value)}; expected ${expected}\n`;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});
