import { expect, it } from "vitest";
import { HeldEvents } from "./held-events.ts";

function held(dueAt: number, reference = "msg_1") {
  const report = { kind: "receipt", status: "SENT", reason: null } as const;
  return { reference, send: 1, index: 0, report, dueAt, claimedUntil: dueAt + 10 };
}

it("gives out what is due in the order of its time, and of its coming at the same time", () => {
  const events = new HeldEvents();
  expect(events.nextDueAt).toBeUndefined();
  for (const [reference, dueAt] of Object.entries({ a: 30, b: 10, c: 20, d: 10, e: 40, f: 20 })) {
    events.add(held(dueAt, reference));
  }
  expect(events.nextDueAt).toBe(10);
  expect(events.take(9, 10)).toEqual([]);
  expect(events.take(30, 3).map(({ reference }) => reference)).toEqual(["b", "d", "c"]);
  expect(events.take(30, 3).map(({ reference }) => reference)).toEqual(["f", "a"]);
  expect(events.nextDueAt).toBe(40);
  events.clear();
  expect(events.take(100, 3)).toEqual([]);
});
