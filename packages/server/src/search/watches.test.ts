import { expect, it } from "vitest";
import { Watches } from "./following.ts";
import type { FollowedMessage } from "./search-source.ts";

const message = (messageId: string, tenantId = 1): FollowedMessage => ({
  ...{ messageId, position: messageId, tenantId, merchantId: "m1", channel: "SMS", type: "OTP", status: "QUEUED" },
  ...{ reason: null, project: null, subject: null, content: "Hi", to: "+12025550100", createdAt: 1, isFinal: false },
});
const all = (tenantId: number) => ({
  scope: { tenantId, merchantId: undefined },
  search: { conditions: [], from: undefined, until: undefined },
});

it("many viewers are notified in turn, each with all changes up to then", () => {
  const watches = new Watches();
  const told: number[] = [];
  for (let number = 0; number < 150; number += 1) {
    watches.add(all(1), ({ messages }) => told.push(number * 10 + messages.length));
  }
  watches.note([message("a")], "new");
  watches.tell();
  const first = told.length;
  expect(first).toBeGreaterThan(10);
  expect(first).toBeLessThan(100);
  watches.note([message("b")], "new");
  for (let looks = 0; looks < 4; looks += 1) watches.tell();
  // viewers already notified come last; the others get both changes at once
  expect(told.slice(first, 150)).toEqual(
    Array.from({ length: 150 - first }, (_none, index) => (first + index) * 10 + 2),
  );
  expect(told).toHaveLength(150 + first);
  watches.tell();
  expect(told).toHaveLength(150 + first);
});

it("viewers of another tenant and viewers who have left are not notified", () => {
  const watches = new Watches();
  const told: string[] = [];
  const end = watches.add(all(1), () => told.push("left"));
  watches.add(all(2), () => told.push("other"));
  watches.add(all(1), () => told.push("own"));
  watches.note([message("a")], "new");
  end();
  watches.tell();
  expect(told).toEqual(["own"]);
  expect(watches.size).toBe(2);
});

it("new and changed messages that are too many to send are counted instead", () => {
  const watches = new Watches();
  const told: unknown[] = [];
  const sent = { about: "status", isNot: false, value: "SENT" } as const;
  watches.add(all(1), ({ messages, ...others }) => told.push(["all", messages.length, others]));
  watches.add({ ...all(1), search: { ...all(1).search, conditions: [sent] } }, ({ messages, ...others }) =>
    told.push(["sent", messages.length, others]),
  );
  const messages = Array.from({ length: 8 }, (_none, index) => message(`m${index}`));
  watches.note(messages, "new");
  watches.tell();
  watches.note(
    messages.map((one) => ({ ...one, status: "SENT" as const })),
    "changed",
  );
  watches.tell();
  watches.note(
    messages.slice(0, 2).map((one) => ({ ...one, status: "DELIVERED" as const })),
    "changed",
  );
  watches.tell();
  expect(told).toEqual([
    ["all", 5, { gone: [], more: 3, changed: 0 }],
    ["all", 5, { gone: [], more: 0, changed: 3 }],
    ["sent", 5, { gone: [], more: 3, changed: 0 }],
    ["all", 2, { gone: [], more: 0, changed: 0 }],
    ["sent", 0, { gone: ["m0", "m1"], more: 0, changed: 0 }],
  ]);
});
