import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CHANNEL_VALUES,
  DELIVERY_REASON_VALUES,
  MESSAGE_STATUS_VALUES,
  MESSAGE_TYPE_VALUES,
} from "@msgctl/contract/constants";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { isFound, parseSearch, type Search, type SearchedMessage } from "../domain/recipients/search-language.ts";
import { type IndexedMessage, SearchIndex } from "./search-index.ts";
import { type SearchScope, toDocument, toMatch } from "./search-terms.ts";

let index = SearchIndex.open(":memory:");
afterEach(() => {
  index.close();
  index = SearchIndex.open(":memory:");
});

const surroundings = { now: Date.parse("2026-11-24T12:00:00Z"), timezone: "UTC" };
function read(text: string): Search {
  const result = parseSearch(text, surroundings);
  if ("faults" in result) throw new Error(result.faults.map(({ detail }) => detail).join("; "));
  return result.search;
}

const plain: SearchedMessage & { mayChange: boolean } = {
  messageId: "msg_1",
  merchantId: "m1",
  channel: "SMS",
  type: "OTP",
  status: "DELIVERED",
  reason: null,
  to: "+12025550100",
  subject: null,
  content: "Your code is 123456",
  createdAt: 0,
  project: null,
  mayChange: false,
};

interface Owned {
  readonly tenantId: number;
  readonly message: typeof plain;
}

function write(messages: readonly Owned[]): void {
  index.write(
    messages.map(
      ({ tenantId, message }, number): IndexedMessage => ({
        position: number + 1,
        messageId: message.messageId,
        createdAt: message.createdAt,
        ...toDocument(tenantId, message),
      }),
    ),
  );
}

const ofTenant: SearchScope = { tenantId: 1, merchantId: undefined };

function find(text: string, scope = ofTenant): string[] {
  const match = toMatch(scope, read(text));
  return match === undefined ? [] : index.find(match, { limit: 1_000 }).found.map(({ messageId }) => messageId);
}

const merchantIds = ["m1", "m10", "...", "M-1:x"];
const addresses = [
  "+12025550100",
  "+12025550199",
  "+447700900123",
  "Ann@Example.com",
  "an+b'c@example.com",
  "ab@cd.ef",
];
const contents = [
  "Your code is 123456",
  "your order, shipped",
  "Grüße aus Köln",
  "\u{1f600} 'quoted' \"twice\"",
  "*",
  "code your",
];
const state = fc.record({
  status: fc.constantFrom(...MESSAGE_STATUS_VALUES),
  reason: fc.option(fc.constantFrom(...DELIVERY_REASON_VALUES.slice(0, 3))),
});
const message = fc.record({
  tenantId: fc.constantFrom(1, 11),
  merchantId: fc.constantFrom(...merchantIds),
  channel: fc.constantFrom(...CHANNEL_VALUES),
  type: fc.constantFrom(...MESSAGE_TYPE_VALUES),
  state,
  /** The state that the message has reached since it was indexed. */
  later: fc.option(state),
  to: fc.constantFrom(...addresses),
  subject: fc.option(fc.constantFrom("Order 7", "NEAR(code)")),
  content: fc.constantFrom(...contents),
});
const condition = fc.constantFrom(
  ...["status:failed", "status:delivered", "reason:blocked", "channel:sms", "type:otp", "merchant:m1", "merchant:..."],
  ...[
    "to:+",
    "to:+12",
    "to:+1202",
    "to:+12025550",
    "to:+120255501",
    "to:+12025550100",
    "to:ann",
    "to:an+b'c@",
    "to:'",
    "to:ab@cd.ef",
  ],
  ...["code", '"your code"', '"code your"', "grüße", "NEAR", "OR", "quoted", '"order 7"', "7", "msg_3"],
);
const conditions = fc.array(fc.tuple(fc.constantFrom("", "-"), condition), { maxLength: 4 });

describe("a search of the index", () => {
  it("finds all matches, newest first, and none of another scope", () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 30 }),
        conditions,
        fc.constantFrom(undefined, "m1"),
        (given, wanted, merchantId) => {
          const messages = given.map(({ tenantId, state, later, ...of }, number) => {
            const written = { ...plain, ...of, ...state, mayChange: later !== null, messageId: `msg_${number}` };
            return { tenantId, written, message: { ...written, ...later } };
          });
          index.close();
          index = SearchIndex.open(":memory:");
          write(messages.map(({ tenantId, written }) => ({ tenantId, message: written })));
          const text = wanted.map((parts) => parts.join("")).join(" ");
          const scope = { tenantId: 1, merchantId };
          const found = new Set(find(text, scope));
          const search = read(text);
          const own = messages.filter(
            ({ tenantId, message }) => tenantId === 1 && message.merchantId === (merchantId ?? message.merchantId),
          );
          const expected = own
            .filter(({ message }) => isFound(message, search))
            .map(({ message }) => message.messageId);
          expect([...found]).toEqual(expect.arrayContaining(expected));
          expect([...found].filter((id) => !own.some(({ message }) => message.messageId === id))).toEqual([]);
          expect([...found]).toEqual([...found].sort((one, other) => Number(other.slice(4)) - Number(one.slice(4))));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("finds only matching messages if all conditions are exact", () => {
    write([
      { tenantId: 1, message: plain },
      { tenantId: 1, message: { ...plain, messageId: "msg_2", status: "FAILED", reason: "BLOCKED", content: "Hello" } },
      {
        tenantId: 1,
        message: { ...plain, messageId: "msg_3", merchantId: "m2", status: "FAILED", to: "+12025550101" },
      },
      { tenantId: 2, message: { ...plain, messageId: "msg_4" } },
    ]);
    expect(find("")).toEqual(["msg_3", "msg_2", "msg_1"]);
    expect(find("status:failed")).toEqual(["msg_3", "msg_2"]);
    expect(find("status:failed merchant:m1")).toEqual(["msg_2"]);
    expect(find("-status:failed")).toEqual(["msg_1"]);
    expect(find('"code is" -merchant:m1')).toEqual(["msg_3"]);
    expect(find("to:+12025550100")).toEqual(["msg_2", "msg_1"]);
    expect(find("merchant:m1", { tenantId: 1, merchantId: "m2" })).toEqual([]);
  });

  it("returns a page and the start of the next one, and stops when its time is up", () => {
    write(
      Array.from({ length: 10 }, (_none, number) => ({
        tenantId: 1,
        message: { ...plain, messageId: `msg_${number + 1}` },
      })),
    );
    index.write([{ position: 1_000_000, messageId: "msg_late", createdAt: 0, ...toDocument(1, plain) }]);
    const match = toMatch(ofTenant, read("")) ?? "";
    expect(index.find(match, { limit: 2 })).toEqual({
      found: [
        { position: 1_000_000, messageId: "msg_late", createdAt: 0 },
        { position: 10, messageId: "msg_10", createdAt: 0 },
      ],
      next: 10,
    });
    expect(index.find(match, { limit: 10, below: 10 })).toMatchObject({ found: { length: 9 }, next: undefined });
    const cut = index.find(match, { limit: 2, mayGoOn: () => false });
    expect(cut.found).toEqual([{ position: 1_000_000, messageId: "msg_late", createdAt: 0 }]);
    expect(index.find(match, { limit: 1, below: cut.next }).found).toEqual([
      { position: 10, messageId: "msg_10", createdAt: 0 },
    ]);
  });

  it("finds a message in its new state, and does not find a removed one", () => {
    write([{ tenantId: 1, message: { ...plain, status: "SENT" } }]);
    write([{ tenantId: 1, message: plain }]);
    expect([find("status:sent"), find("status:delivered")]).toEqual([[], ["msg_1"]]);
    expect(index.positionOf("msg_1")).toBe(1);
    index.remove([1, 2]);
    expect([find(""), index.positions, index.positionOf("msg_1")]).toEqual([[], undefined, undefined]);
  });
});

describe("the file of an index", () => {
  const folder = mkdtempSync(join(tmpdir(), "msgd-search-"));
  const path = join(folder, "search.db");
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is reopened, and recreated if it is damaged or has another format version", () => {
    const open = (change: (index: SearchIndex) => void) => {
      const opened = SearchIndex.open(path);
      change(opened);
      opened.close();
    };
    open((opened) => opened.write([{ position: 7, messageId: "msg_1", createdAt: 0, ...toDocument(1, plain) }]));
    open((opened) => expect(opened.positions).toEqual({ lowest: 7, highest: 7 }));
    writeFileSync(path, "not a database ".repeat(1_000));
    open((opened) => expect(opened.positions).toBeUndefined());
    expect(statSync(path).size).toBeGreaterThan(0);
  });
});

it("the position of a time is found even if messages were committed late or removed", () => {
  expect(index.positionAt(5)).toBeUndefined();
  const times = Array.from({ length: 400 }, (_none, number) => number * 10);
  index.write(
    times.map((createdAt, number) => ({
      ...{ position: 1_000 + number, messageId: `msg_${number}`, terms: "", words: "" },
      createdAt: number % 50 === 7 ? createdAt - 30 : createdAt,
    })),
  );
  const isGone = (number: number) => number >= 100 && number < 190;
  index.remove(Array.from({ length: 90 }, (_none, number) => 1_100 + number));
  for (const time of [0, 5, 1_000, 1_500, 2_345, 3_990]) {
    const position = index.positionAt(time + 30) ?? 0;
    const accepted = times.flatMap((createdAt, number) =>
      createdAt < time && !isGone(number) ? [1_000 + number] : [],
    );
    expect(Math.max(0, ...accepted), `at ${time}`).toBeLessThan(position);
    expect(position, `at ${time}`).toBeLessThanOrEqual(1_000 + Math.ceil(time / 10) + 100);
  }
  expect(index.positionAt(100_000)).toBe(1_400);
});
