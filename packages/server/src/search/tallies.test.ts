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

it("counts each message by its current state", () => {
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

it("adds up a tenant's merchants and channels, and tells them apart", () => {
  write(1, {});
  write(2, { merchantId: "m2", channel: "EMAIL" });
  write(3, { tenantId: 2 });
  write(4, { hour: 99 });
  expect(list()).toEqual(["99 underWay 1", "100 underWay 2"]);
  expect(list({ merchantId: "m2" })).toEqual(["100 underWay 1"]);
  expect(list({ tenantId: 2 })).toEqual(["100 underWay 1"]);
  expect(list({}, 100, "SMS")).toEqual(["100 underWay 1"]);
});

it("forgets old hours, including messages that change later", () => {
  write(1, {});
  write(2, { hour: 200 });
  index.removeTallies(150);
  write(1, undefined);
  expect(list()).toEqual(["200 underWay 1"]);
});

it("subtracts nothing from others for a message whose hour was forgotten", () => {
  write(1, { hour: 200 });
  write(2, {});
  index.removeTallies(150);
  write(3, { tenantId: 2, hour: 300 });
  index.remove([2]);
  expect(list({ tenantId: 2 })).toEqual(["300 underWay 1"]);
});

it("counts nothing of a transaction that was rolled back, and all of the next", () => {
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
