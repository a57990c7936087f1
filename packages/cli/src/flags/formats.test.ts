/** Compares the descriptions of patterns with the patterns of the contract. */
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { records } from "../generated/records.ts";
import type { Input } from "../model/record.ts";
import { msgctl } from "../testing/world.ts";
import { PATTERN_WORDS } from "./formats.ts";

describe("descriptions of patterns", () => {
  it("exist for exactly those patterns of the contract that no format covers", () => {
    const inputs = Object.values(records).flatMap((record) => record.inputs as readonly Input[]);
    const patterns = inputs.flatMap(({ pattern, format }) => (format === undefined ? (pattern ?? []) : []));
    expect([...new Set(patterns)].sort()).toEqual(Object.keys(PATTERN_WORDS).sort());
  });

  it.each([
    ["Bright Dental", "bright-dental"],
    ["Café Olé!", "cafe-ole"],
    ["a/b", "a-b"],
  ])("suggest an id for the merchant %j: %s", async (merchantId, suggested) => {
    const { exitCode, stderr } = await msgctl(["merchants", "get", merchantId], { catalog });
    const said = `<merchant-id>: received ${JSON.stringify(merchantId)}; expected letters a-z and A-Z, digits and . _ : - without spaces; try ${JSON.stringify(suggested)}\n`;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("suggest nothing if no similar text is valid", async () => {
    const { stderr } = await msgctl(["merchants", "get", "日本"], { catalog });
    expect(stderr).toContain("without spaces, such as bright-dental\n");
  });

  it.each([
    ["send sms", "message", "a\0b", "text without U+0000"],
    ["send email", "subject", "a\0b", "text on one line, without U+0000"],
    ["send email", "subject", "a\nb", "text on one line, without U+0000"],
    ["merchants upsert", "displayName", "a\tb", "text without control characters"],
  ])("are used by %s for the field %s of a file: %j", async (command, field, value, expected) => {
    const stdin = JSON.stringify({ [field]: value });
    const { exitCode, stderr } = await msgctl([...command.split(" "), "--body-file", "-"], { catalog, stdin });
    const said = `--body-file ${field}: received ${JSON.stringify(value)}; expected ${expected}\n`;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});
