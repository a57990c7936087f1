import { describe, expect, it } from "vitest";
import { Slots } from "./claim.ts";

const tenants = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);
/** Returns the lane of the tenant at its own receiver. */
const at = (tenantId: number) => ({ tenantId, receiver: `r${tenantId}.com`, rests: 0 });

/** Takes slots until no tenant may have another. Returns how many each tenant has. */
function fill(slots: Slots, waiting: readonly number[]): number[] {
  const taken = new Map(waiting.map((tenantId) => [tenantId, 0]));
  for (let next = slots.chooseTenant(waiting); next !== undefined; next = slots.chooseTenant(waiting)) {
    slots.take(at(next));
    taken.set(next, (taken.get(next) ?? 0) + 1);
  }
  return [...taken.values()];
}

describe("slots", () => {
  it.each([
    [1, 64],
    [2, 43],
    [3, 32],
    [7, 16],
    [20, 7],
    [127, 1],
    [128, 1],
  ])("are shared among %i tenants, with at most %i each", (count, most) => {
    const slots = new Slots({ total: 128, perReceiver: 1_000 });
    const taken = fill(slots, tenants(count));
    expect(Math.max(...taken)).toBe(most);
    expect(Math.max(...taken) - Math.min(...taken)).toBeLessThanOrEqual(1);
  });

  it("are kept free for further tenants, until eight tenants have taken them all", () => {
    const slots = new Slots({ total: 128, perReceiver: 1_000 });
    const came = tenants(7).map((tenantId) => fill(slots, [tenantId])[0]);
    expect(came).toEqual([64, 32, 16, 8, 4, 2, 1]);
    expect(slots.free).toBe(1);
    expect(fill(slots, [8])).toEqual([1]);
    expect(slots.free).toBe(0);
  });

  it("that become free go first to a tenant that has none", () => {
    const slots = new Slots({ total: 8, perReceiver: 8 });
    fill(slots, [1]);
    fill(slots, [2]);
    fill(slots, [3]);
    fill(slots, [4]);
    expect(slots.free).toBe(0);
    slots.leave(at(1));
    expect(slots.chooseTenant([1, 2, 3, 4])).toBeUndefined();
    expect(slots.chooseTenant([1, 2, 3, 4, 5])).toBe(5);
  });

  it("are counted separately in a copy", () => {
    const slots = new Slots({ total: 4, perReceiver: 4 });
    const copy = slots.copy();
    copy.take(at(1));
    expect([slots.taken, copy.taken]).toEqual([0, 1]);
  });
});

describe("a tenant's lane at a receiver", () => {
  const lane = (tenantId: number, rests = 0) => ({ tenantId, receiver: "hooks.com", rests });

  it("gets half of the receiver's slots, then waits for its own attempts", () => {
    const slots = new Slots({ total: 128, perReceiver: 16 });
    let taken = 0;
    for (; slots.findObstacle(lane(1)) === undefined; taken += 1) slots.take(lane(1));
    expect([taken, slots.findObstacle(lane(1)), slots.findObstacle(lane(2))]).toEqual([8, "itself", undefined]);
  });

  it("waits for the receiver if other tenants have all its slots", () => {
    const slots = new Slots({ total: 128, perReceiver: 2 });
    for (const tenantId of [1, 2]) slots.take(lane(tenantId));
    expect(slots.findObstacle(lane(3))).toBe("receiver");
    expect(slots.findObstacle(lane(3, 5))).toBe("receiver");
  });

  it("is limited to one attempt at a time if the receiver did not answer", () => {
    const slots = new Slots({ total: 128, perReceiver: 16 });
    expect(slots.findObstacle(lane(1, 3))).toBeUndefined();
    slots.take(lane(1, 3));
    expect(slots.findObstacle(lane(1, 3))).toBe("itself");
    expect(slots.findObstacle(lane(2, 3))).toBeUndefined();
  });
});
