import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { parseJson, stringifyJson } from "../int64.ts";
import { canonicalBody, EqualRows, rowDigest, rowKey } from "./row-identity.ts";

const canonical = (value: unknown) => stringifyJson(canonicalBody(stringifyJson(value)));

describe("a body's canonical form", () => {
  it.each<[string, unknown, string]>([
    [
      "sorts members at every depth",
      { b: [{ d: 1, c: 2 }], a: { f: 1, e: 2 } },
      '{"a":{"e":2,"f":1},"b":[{"c":2,"d":1}]}',
    ],
    ["keeps the order of a list", ["b", "a"], '["b","a"]'],
    ["omits undefined and keeps null", { a: undefined, b: null }, '{"b":null}'],
    ["keeps a bigint exact", { a: 2n ** 63n - 1n }, '{"a":9223372036854775807}'],
    [
      "writes a bigint like the number with the same JSON",
      [7n, 7, 2n ** 53n, 2 ** 53],
      "[7,7,9007199254740992,9007199254740992]",
    ],
    ["leaves a text unchanged", { a: "e\u0301 \u00e9 A\r\n " }, '{"a":"e\u0301 \u00e9 A\\r\\n "}'],
    ["distinguishes a lone surrogate from U+FFFD", ["\ud800", "\ufffd"], '["\\ud800","\ufffd"]'],
    ["uses the result of toJSON", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["keeps a member named __proto__", JSON.parse('{"b":1,"__proto__":{"a":1}}'), '{"__proto__":{"a":1},"b":1}'],
  ])("%s", (_, value, expected) => {
    expect(canonical(value)).toBe(expected);
  });

  it("is the same for equal JSON, whatever the order of members, and different for other JSON", () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, shuffled(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(canonical(shuffled(one))).toBe(canonical(one));
        if (canonical(one) === canonical(other))
          expect(parseJson(stringifyJson(one))).toEqual(parseJson(stringifyJson(other)));
        expect(parseJson(canonical(one))).toEqual(parseJson(stringifyJson(one)));
      }),
    );
  });
});

// Stored keys must be reproduced by every later release: raise the format's version before these change.
it("keeps the key of a row from release to release", async () => {
  const row = {
    type: "REMINDER",
    to: "+12025550100",
    message: "Your visit is tomorrow, 9:30 – Zoë",
    merchantId: "demo",
  };
  const text = `sendSms\n${canonical(row)}`;
  expect(text).toBe(
    'sendSms\n{"merchantId":"demo","message":"Your visit is tomorrow, 9:30 – Zoë","to":"+12025550100","type":"REMINDER"}',
  );
  const digest = await rowDigest("sendSms", canonicalBody(JSON.stringify(row)));
  expect(digest).toBe(createHash("sha256").update(text).digest("hex"));
  expect(rowKey("march", digest, 2)).toBe("march-r1-7c23b67e3a7384c486c7b1fd53034c6e-2");
});

it("treats one body sent by two operations as two rows", async () => {
  const [sms, voice] = await Promise.all(["sendSms", "sendVoice"].map((operation) => rowDigest(operation, {})));
  expect(sms).not.toBe(voice);
});

describe("equal rows", () => {
  const digestOf = (high: number, low: number) =>
    [high, low, 0, 0].map((part) => part.toString(16).padStart(8, "0")).join("");

  it("are counted as a Map counts them, even if many share a slot and the table grows", () => {
    const part = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 32 - 1, 256, 512, 65_536));
    const digest = fc.tuple(part, fc.oneof(part, fc.nat(2_000))).map(([high, low]) => digestOf(high, low));
    fc.assert(
      fc.property(fc.array(digest, { maxLength: 3_000, size: "max" }), (digests) => {
        const rows = new EqualRows();
        const counts = new Map<string, number>();
        for (const digest of digests) {
          const count = counts.get(digest) ?? 0;
          expect(rows.ordinalOf(digest)).toBe(count);
          counts.set(digest, count + 1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("are counted up to a bound; beyond it a new row is refused, and no counted row is forgotten", () => {
    const rows = new EqualRows(5_000);
    for (let index = 0; index < 5_000; index++) expect(rows.ordinalOf(digestOf(index, index))).toBe(0);
    for (let index = 0; index < 5_000; index++) expect(rows.ordinalOf(digestOf(index, index))).toBe(1);
    expect(() => rows.ordinalOf(digestOf(1, 0))).toThrow(UsageError);
    expect(() => rows.ordinalOf(digestOf(1, 0))).toThrow(
      /more than 5000 different rows.*Split the list.*idempotencyKey/,
    );
    expect(rows.ordinalOf(digestOf(0, 0))).toBe(2);
  });
});
