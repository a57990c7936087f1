import { expect, it } from "vitest";
import type { FollowedMessage } from "./follower.ts";
import { Watches } from "./watches.ts";

const message = (messageId: string, tenantId = 1): FollowedMessage => ({
  ...{ messageId, position: messageId, tenantId, merchantId: "m1", channel: "SMS", type: "OTP", status: "QUEUED" },
  ...{ reason: null, subject: null, content: "Hi", to: "+12025550100", createdAt: 1, isFinal: false },
});
const all = (tenantId: number) => ({
  scope: { tenantId, merchantId: undefined },
  search: { conditions: [], from: undefined, until: undefined },
});

it("tells many viewers in turns, each of all there is by then", () => {
  const watches = new Watches();
  const told: number[] = [];
  for (let number = 0; number < 150; number += 1) {
    watches.add(all(1), ({ messages }) => told.push(number * 10 + messages.length));
  }
  watches.note([message("a")]);
  watches.tell();
  const first = told.length;
  expect(first).toBeGreaterThan(10);
  expect(first).toBeLessThan(100);
  watches.note([message("b")]);
  for (let looks = 0; looks < 4; looks += 1) watches.tell();
  // those who were told go last; the others are told of both at once
  expect(told.slice(first, 150)).toEqual(
    Array.from({ length: 150 - first }, (_none, index) => (first + index) * 10 + 2),
  );
  expect(told).toHaveLength(150 + first);
  watches.tell();
  expect(told).toHaveLength(150 + first);
});

it("tells nobody of another tenant's, nor whoever has left", () => {
  const watches = new Watches();
  const told: string[] = [];
  const end = watches.add(all(1), () => told.push("left"));
  watches.add(all(2), () => told.push("other"));
  watches.add(all(1), () => told.push("own"));
  watches.note([message("a")]);
  end();
  watches.tell();
  expect(told).toEqual(["own"]);
  expect(watches.size).toBe(2);
});
