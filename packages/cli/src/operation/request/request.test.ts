import { describe, expect, it } from "vitest";
import { findPlace } from "../../flags/fault-place.ts";
import type { Input } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import { price, send } from "../../testing/parcels.ts";
import { completeBody } from "./complete-body.ts";
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
  it("puts each value into its field", () => {
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

  it("reports all faults at once, with the flag and the received value", () => {
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
    ["no set", [], 1],
    ["half a set", [["per-gram", "1"]], 1],
    ["one set", [["per-unit", "1"]], 0],
    [
      "the other set complete",
      [
        ["per-gram", "1"],
        ["method", "4242"],
      ],
      0,
    ],
  ])("requires one complete set of alternative inputs: given %s", (_, given, count) => {
    const { missing } = readRequest(price, new Map(given));
    expect(missing).toHaveLength(count);
    for (const fault of missing) expect(fault.where).toBe("--per-unit or --per-gram with --method");
  });
});

describe("findPlace", () => {
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
  ])("translates %j to %j", (pointer, where) => {
    expect(findPlace(pointer, send)).toBe(where);
  });
});

describe("a format that depends on another value", () => {
  const contact: Input = {
    ...{ name: "contact", in: "body", path: ["contact"], type: "string", description: "Who." },
    formatBy: { input: "kind", formats: { BOX: "e164", LETTER: "email" } },
  };
  const kind = send.inputs.filter(({ name }) => name === "kind");
  const record = { ...send, inputs: [...kind, contact] };

  it.each([
    ["BOX", "+12025550100", undefined],
    ["box", "(202) 555-0100", "because kind is BOX"],
    ["BOX", "1.20255E+10", "a spreadsheet has shortened this number"],
    ["LETTER", "ada@example.com", undefined],
    ["LETTER", "+12025550100", "expected an email address, such as mara@example.com, because kind is LETTER"],
    ["TUBE", "whatever", undefined],
  ])("is chosen by the kind %s for the contact %s", (kindOf, text, said) => {
    const { wrong } = readRequest(
      record,
      new Map([
        ["kind", kindOf],
        ["contact", text],
      ]),
    );
    expect(wrong).toEqual(said === undefined ? [] : [{ where: "--contact", message: expect.stringContaining(said) }]);
  });

  it("also applies to a body file", () => {
    const document = { kind: "BOX", contact: "ada@example.com" };
    const { wrong } = completeBody(record, new Map(), { document, assignments: [], faults: [] });
    expect(wrong).toEqual([{ where: "--body-file contact", message: expect.stringContaining("because kind is BOX") }]);
  });
});
