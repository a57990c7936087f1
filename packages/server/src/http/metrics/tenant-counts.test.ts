import { expect, it } from "vitest";
import { MOST_TENANTS, TenantCounts } from "./metrics.ts";

const send = (counts: TenantCounts, tenantId: number, times: number) => {
  for (let sent = 0; sent < times; sent += 1) counts.count(tenantId);
};

it("counts each tenant separately if there are few", () => {
  const counts = new TenantCounts();
  send(counts, 1, 3);
  send(counts, 2, 1);
  expect(counts.totals).toEqual({ 1: 3, 2: 1, other: 0 });
});

it("keeps a limited number of tenants' series and one for all others, and loses no count", () => {
  const counts = new TenantCounts();
  for (let tenantId = 1; tenantId <= 500; tenantId += 1) send(counts, tenantId, 1);
  expect(Object.keys(counts.totals)).toHaveLength(MOST_TENANTS + 1);
  expect(Object.values(counts.totals).reduce((sum, count) => sum + count)).toBe(500);
});

it("names a tenant that sends most, however many others send, and never decreases its series", () => {
  const counts = new TenantCounts();
  for (let tenantId = 1; tenantId <= 100; tenantId += 1) send(counts, tenantId, 20);
  let before = counts.totals;
  for (let round = 0; round < 300; round += 1) {
    send(counts, 777, 100);
    for (let tenantId = 1; tenantId <= 100; tenantId += 1) send(counts, tenantId, 1);
    const after = counts.totals;
    const shrunk = Object.keys(after).filter((tenant) => (after[tenant] ?? 0) < (before[tenant] ?? 0));
    // a tenant that lost its series starts at 0
    expect(shrunk.filter((tenant) => tenant === "777" || tenant === "other")).toEqual([]);
    before = after;
  }
  expect(before["777"]).toBeGreaterThan(29_000);
});

it("does not alternate between two tenants that send at the same rate", () => {
  const counts = new TenantCounts();
  for (let tenantId = 1; tenantId <= MOST_TENANTS + 1; tenantId += 1) send(counts, tenantId, 10);
  const named = Object.keys(counts.totals);
  for (let round = 0; round < 100; round += 1) {
    for (let tenantId = 1; tenantId <= MOST_TENANTS + 1; tenantId += 1) send(counts, tenantId, 1);
  }
  expect(Object.keys(counts.totals)).toEqual(named);
});
