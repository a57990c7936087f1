import { afterEach, beforeEach, expect, it } from "vitest";
import { SearchIndex } from "./search-index.ts";
import type { Tally } from "./tallies.ts";

let index: SearchIndex;
beforeEach(() => {
  index = SearchIndex.open(":memory:");
});
afterEach(() => index.close());

const tally: Tally = { tenantId: 1, merchantId: "m1", channel: "SMS", hour: 100, outcome: "underWay" };
const write = (position: number, of: Partial<Tally> | undefined) =>
  index.write([
    {
      position,
      messageId: `msg_${position}`,
      createdAt: 0,
      terms: "",
      words: "",
      tally: of === undefined ? undefined : { ...tally, ...of },
    },
  ]);
const list = (scope: { tenantId?: number; merchantId?: string } = {}, from = 0, channel?: string) =>
  index
    .listTallies({ scope: { tenantId: 1, merchantId: undefined, ...scope }, from, channel })
    .map(({ hour, outcome, messages }) => `${hour} ${outcome} ${messages}`);

it("each message is counted by its current state", () => {
  write(1, {});
  write(2, {});
  write(1, { outcome: "delivered" });
  write(1, { outcome: "delivered" });
  expect(list()).toEqual(["100 delivered 1", "100 underWay 1"]);
  index.remove([2]);
  expect(list()).toEqual(["100 delivered 1"]);
  write(1, undefined);
  expect(list()).toEqual([]);
});

it("counts are available by merchant and channel, and as totals of a tenant", () => {
  write(1, {});
  write(2, { merchantId: "m2", channel: "EMAIL" });
  write(3, { tenantId: 2 });
  write(4, { hour: 99 });
  expect(list()).toEqual(["99 underWay 1", "100 underWay 2"]);
  expect(list({ merchantId: "m2" })).toEqual(["100 underWay 1"]);
  expect(list({ tenantId: 2 })).toEqual(["100 underWay 1"]);
  expect(list({}, 100, "SMS")).toEqual(["100 underWay 1"]);
});

it("old hours are removed, and later changes of their messages are not counted", () => {
  write(1, {});
  write(2, { hour: 200 });
  index.removeTallies(150);
  write(1, undefined);
  expect(list()).toEqual(["200 underWay 1"]);
});

it("a change of a message whose hour was removed does not reduce other counts", () => {
  write(1, { hour: 200 });
  write(2, {});
  index.removeTallies(150);
  write(3, { tenantId: 2, hour: 300 });
  index.remove([2]);
  expect(list({ tenantId: 2 })).toEqual(["300 underWay 1"]);
});

it("a transaction that was rolled back is not counted, and the next one is", () => {
  const fail = () =>
    index.together(() => {
      write(1, {});
      throw new Error("no");
    });
  expect(fail).toThrow("no");
  write(1, {});
  expect(list()).toEqual(["100 underWay 1"]);
  index.clear();
  write(1, {});
  expect(list()).toEqual(["100 underWay 1"]);
});
