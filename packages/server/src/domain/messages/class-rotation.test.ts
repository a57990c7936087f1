import { describe, expect, it } from "vitest";
import { ClassRotation, type WaitingClass } from "./rules.ts";

const [OTP, TRANSACTIONAL, REMINDER, MARKETING] = [0, 1, 2, 3] as const;

/** Counts, by class, how often each is chosen in `rounds` turns while all of `waiting` wait. */
function count(waiting: readonly WaitingClass[], rounds: number): number[] {
  const counts = [0, 0, 0, 0];
  const rotation = new ClassRotation();
  for (let round = 0; round < rounds; round++) {
    const messageClass = rotation.next(waiting);
    if (messageClass !== undefined) counts[messageClass] = (counts[messageClass] ?? 0) + 1;
  }
  return counts;
}

const fresh = (...classes: number[]) => classes.map((messageClass) => ({ messageClass, waitedMs: 0 }));
const hourMs = 3_600_000;

describe("classes", () => {
  it("are chosen by weight while all wait", () => {
    expect(count(fresh(OTP, TRANSACTIONAL, REMINDER, MARKETING), 150)).toEqual([80, 40, 20, 10]);
  });

  it("are always chosen if no other class waits", () => {
    for (const messageClass of [OTP, TRANSACTIONAL, REMINDER, MARKETING]) {
      expect(count(fresh(messageClass), 10)[messageClass]).toBe(10);
    }
    expect(new ClassRotation().next([])).toBeUndefined();
  });

  it("are chosen more often the longer they have waited", () => {
    const [, young = 0, , old = 0] = count(
      [...fresh(TRANSACTIONAL), { messageClass: MARKETING, waitedMs: hourMs }],
      130,
    );
    expect([young, old]).toEqual([40, 90]);
  });

  it("leave half of all turns to one-time passwords, however long the other classes have waited", () => {
    const others = [TRANSACTIONAL, REMINDER, MARKETING].map((messageClass) => ({
      messageClass,
      waitedMs: 72 * hourMs,
    }));
    expect(count([...fresh(OTP), ...others], 140)[OTP]).toBe(70);
  });

  it("with a large weight alternate with other classes", () => {
    const rotation = new ClassRotation();
    const order = Array.from({ length: 15 }, () => rotation.next(fresh(OTP, TRANSACTIONAL, REMINDER, MARKETING)));
    expect(order.slice(0, 8)).toContain(TRANSACTIONAL);
    expect(order.filter((messageClass) => messageClass === MARKETING)).toHaveLength(1);
  });

  it("accumulate no credit while they have no messages", () => {
    const rotation = new ClassRotation();
    for (let round = 0; round < 100; round++) rotation.next(fresh(MARKETING));
    const order = Array.from({ length: 9 }, () => rotation.next(fresh(OTP, MARKETING)));
    expect(order.filter((messageClass) => messageClass === OTP)).toHaveLength(8);
  });

  it("tolerate a clock that was set back", () => {
    expect(
      count(
        [
          { messageClass: OTP, waitedMs: -hourMs },
          { messageClass: MARKETING, waitedMs: -hourMs },
        ],
        9,
      ),
    ).toEqual([8, 0, 0, 1]);
  });
});
