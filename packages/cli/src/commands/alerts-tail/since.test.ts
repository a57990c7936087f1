import { describe, expect, it } from "vitest";
import { readSince } from "./since.ts";

describe("--since", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  it.each([
    ["90s", "2026-03-01T11:58:30.000Z"],
    ["30m", "2026-03-01T11:30:00.000Z"],
    ["2h", "2026-03-01T10:00:00.000Z"],
    ["1d", "2026-02-28T12:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T08:00:00+01:00", "2026-01-31T07:00:00.000Z"],
  ])("%s means %s", (text, instant) => {
    const faults: never[] = [];
    expect([readSince(text, now, faults), faults]).toEqual([Date.parse(instant), []]);
  });

  it.each([["yesterday"], ["1w"], ["-1h"], ["2026-02-30"], ["1234567s"], [""]])("refuses %j", (text) => {
    const faults: { where: string; message: string }[] = [];
    expect(readSince(text, now, faults)).toBeUndefined();
    expect(faults).toEqual([{ where: "--since", message: expect.stringContaining(JSON.stringify(text)) }]);
  });

  it("may be omitted", () => {
    expect(readSince(undefined, now, [])).toBeUndefined();
  });
});
