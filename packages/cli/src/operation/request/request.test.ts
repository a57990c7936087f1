import { describe, expect, it } from "vitest";
import { findPlace } from "../../flags/fault-place.ts";
import type { RawValues } from "../../model/request.ts";
import { price, send } from "../../testing/parcels.ts";
import { readRequest } from "./request.ts";

const whole: RawValues = new Map<string, string | boolean | string[]>([
  ["depot-id", "north"],
  ["kind", "BOX"],
  ["phone", "+12025550100"],
  ["weight-grams", "250"],
  ["fragile", false],
  ["labels", ["a", "b"]],
  ["X-Route", "sea"],
]);

describe("readRequest", () => {
  it("puts each value in its place", () => {
    expect(readRequest(send, whole)).toEqual({
      request: {
        path: { depotId: "north" },
        query: {},
        headers: { "X-Route": "sea" },
        body: { kind: "BOX", contact: { phone: "+12025550100" }, weightGrams: 250, fragile: false, labels: ["a", "b"] },
      },
      wrong: [],
      missing: [],
    });
  });

  it("never sends a default or a value that was not given", () => {
    const { request } = readRequest(send, new Map([["kind", "BOX"]]));
    expect(request.body).toEqual({ kind: "BOX" });
  });

  it("finds every fault at once, and names the flag and what was received", () => {
    const values = new Map<string, string | string[]>([
      ["depot-id", "NORTH"],
      ["kind", "BOXX"],
      ["labels", ["abcdef", "b", "c", "d"]],
      ["pin", "123"],
    ]);
    const { wrong, missing } = readRequest(send, values);
    expect(wrong).toEqual([
      { where: "<depot-id>", message: 'received "NORTH"; expected text that matches ^[a-z]{2,8}$, such as north' },
      { where: "--kind", message: 'received "BOXX"; expected one of BOX, LETTER, TUBE; did you mean BOX?' },
      { where: "--labels", message: 'received "abcdef"; expected at most 5 characters, not 6' },
      { where: "--labels", message: "received 4 values; expected at most 3" },
      { where: "--pin-file", message: "received a value that is not shown; expected at least 4 characters" },
    ]);
    expect(missing).toEqual([{ where: "--phone", message: "missing: Who is called." }]);
  });

  it.each<[string, [string, string][], number]>([
    ["none of the sets", [], 1],
    ["half a set", [["per-gram", "1"]], 1],
    ["one set", [["per-unit", "1"]], 0],
    [
      "another set whole",
      [
        ["per-gram", "1"],
        ["method", "4242"],
      ],
      0,
    ],
  ])("counts %s as given or missing", (_, given, count) => {
    const { missing } = readRequest(price, new Map(given));
    expect(missing).toHaveLength(count);
    for (const fault of missing) expect(fault.where).toBe("--per-unit or --per-gram with --method");
  });
});

describe("whereOf", () => {
  it.each([
    ["/kind", "--kind"],
    ["/contact/phone", "--phone"],
    ["/labels/1", "--labels (value 2)"],
    ["/labels", "--labels"],
    ["/path/depotId", "<depot-id>"],
    ["/header/Idempotency-Key", "--idempotency-key"],
    ["/header/X-Route", "--X-Route"],
    ["/contact/fax", "/contact/fax"],
    ["", ""],
  ])("says %j as %j", (pointer, where) => {
    expect(findPlace(pointer, send)).toBe(where);
  });
});
