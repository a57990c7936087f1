import { describe, expect, it } from "vitest";
import { PLAIN } from "../text/style.ts";
import { displayWidth } from "../text/width.ts";
import { list, table } from "./table.ts";

const rows = [
  { id: "m1", name: "Mara's Bakery", usage: { sms: 12 }, seen: "2025-03-01T10:20:30.456Z" },
  { id: "m2", name: "日本語の店", usage: { sms: 3400 }, seen: null },
];
const columns = ["id", "name", "usage.sms", "seen"];

describe("table", () => {
  it("aligns columns by display width, including wide characters", () => {
    expect(table(rows, columns, { style: PLAIN, width: undefined })).toBe(
      [
        "id  name           usage.sms  seen",
        "m1  Mara's Bakery  12         2025-03-01 10:20:30 UTC",
        "m2  日本語の店     3400       -",
        "",
      ].join("\n"),
    );
  });

  it("shortens headings and instants before it cuts anything", () => {
    const lines = table(rows, columns, { style: PLAIN, width: 42 }).trimEnd().split("\n");
    expect(lines).toEqual([
      "id  name           sms   seen",
      "m1  Mara's Bakery  12    2025-03-01 10:20Z",
      "m2  日本語の店     3400  -",
    ]);
    const [heading] = table([{ a: { id: 1 }, b: { id: "x ".repeat(10) } }], ["a.id", "b.id"], {
      ...{ style: PLAIN, width: 20 },
    }).split("\n");
    expect(heading).toBe("a.id  b.id");
  });

  it("cuts prose and headings with an ellipsis, the widest first, but never ids and times", () => {
    const lines = table(rows, columns, { style: PLAIN, width: 38 }).trimEnd().split("\n");
    expect(lines).toEqual([
      "id  name       sms   seen",
      "m1  Mara's B…  12    2025-03-01 10:20Z",
      "m2  日本語の…  3400  -",
    ]);
  });

  it.each([200, 60, 44, 40, 38, 36])("fits into %i columns", (width) => {
    for (const line of table(rows, columns, { style: PLAIN, width }).split("\n")) {
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it("shows times within a week as relative, and others exactly", () => {
    const nowMs = Date.parse("2025-03-01T10:23:31.000Z");
    const times = ["2025-03-01T10:20:30.456Z", "2025-03-03T10:24:00Z", "2025-02-01T00:00:00Z"].map((seen) => ({
      seen,
    }));
    const layout = { style: PLAIN, width: 80, nowMs };
    expect(table(times, ["seen"], layout)).toBe("seen\n3 min ago\nin 2 days\n2025-02-01 00:00:00 UTC\n");
    expect(list(times[0] ?? {}, ["seen"], layout)).toBe("seen  2025-03-01 10:20:30 UTC (3 min ago)\n");
  });

  it("shows a list of fields per row if a table would not fit", () => {
    expect(table(rows, columns, { style: PLAIN, width: 20 })).toBe(
      [
        ...["id         m1", "name       Mara's Bakery", "usage.sms  12", "seen       2025-03-01 10:20:30 UTC", ""],
        ...["id         m2", "name       日本語の店", "usage.sms  3400", "seen       -", ""],
      ].join("\n"),
    );
  });

  it("writes no control characters to the terminal", () => {
    const text = table([{ name: "a\u001b[2J\nb\u202ec\u0007" }], ["name"], { style: PLAIN, width: undefined });
    expect(text).toBe("name\na\\u001b[2J\\nb\\u202ec\\u0007\n");
  });
});

describe("list", () => {
  it("shows a line for each field, and lists of objects as tables below", () => {
    const view = { ready: false, words: ["a", "b"], none: [], text: "", brands: [{ id: 1, name: "Acme", tags: [{}] }] };
    expect(list(view, Object.keys(view), { style: PLAIN, width: undefined })).toBe(
      [
        ...["ready  false", "words  a, b", "none   -", 'text   ""', ""],
        ...["brands (1)", "id  name  tags", "1   Acme  1 item", ""],
      ].join("\n"),
    );
  });
});
