import { describe, expect, it } from "vitest";
import { ClassTurns, type WaitingClass } from "./rules.ts";

const [OTP, TRANSACTIONAL, REMINDER, MARKETING] = [0, 1, 2, 3] as const;

/** The numbers of `turns` that the classes have, in order, while all of these wait. */
function count(waiting: readonly WaitingClass[], turns: number): number[] {
  const counts = [0, 0, 0, 0];
  const rule = new ClassTurns();
  for (let turn = 0; turn < turns; turn++) {
    const place = rule.next(waiting);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

const fresh = (...places: number[]) => places.map((place) => ({ messageClass: place, waitedMs: 0 }));
const hourMs = 3_600_000;

describe("turns", () => {
  it("are shared by weight while all wait", () => {
    expect(count(fresh(OTP, TRANSACTIONAL, REMINDER, MARKETING), 150)).toEqual([80, 40, 20, 10]);
  });

  it("all go to a class that waits alone", () => {
    for (const place of [OTP, TRANSACTIONAL, REMINDER, MARKETING]) {
      expect(count(fresh(place), 10)[place]).toBe(10);
    }
    expect(new ClassTurns().next([])).toBeUndefined();
  });

  it("come more often the longer a class has waited", () => {
    const [, young = 0, , old = 0] = count(
      [...fresh(TRANSACTIONAL), { messageClass: MARKETING, waitedMs: hourMs }],
      130,
    );
    expect([young, old]).toEqual([40, 90]);
  });

  it("go by half to one-time passwords, however long all others have waited", () => {
    const others = [TRANSACTIONAL, REMINDER, MARKETING].map((place) => ({
      messageClass: place,
      waitedMs: 72 * hourMs,
    }));
    expect(count([...fresh(OTP), ...others], 140)[OTP]).toBe(70);
  });

  it("of heavy classes are not in a row: others come in between", () => {
    const rule = new ClassTurns();
    const order = Array.from({ length: 15 }, () => rule.next(fresh(OTP, TRANSACTIONAL, REMINDER, MARKETING)));
    expect(order.slice(0, 8)).toContain(TRANSACTIONAL);
    expect(order.filter((place) => place === MARKETING)).toHaveLength(1);
  });

  it("are not saved up by a class that does not wait", () => {
    const rule = new ClassTurns();
    for (let turn = 0; turn < 100; turn++) rule.next(fresh(MARKETING));
    const order = Array.from({ length: 9 }, () => rule.next(fresh(OTP, MARKETING)));
    expect(order.filter((place) => place === OTP)).toHaveLength(8);
  });

  it("allow for a clock that was set back", () => {
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
