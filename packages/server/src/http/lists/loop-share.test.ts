import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { LoopShare } from "./list-replies.ts";

const acme = 1;
const globex = 2;

let elapsedMs: number;
let loop: LoopShare;
beforeEach(() => {
  elapsedMs = 0;
  loop = new LoopShare(() => elapsedMs);
});

/** Runs longer than the share of a turn. */
function work(): void {
  elapsedMs += 3;
}

describe("the share of a turn", () => {
  it("admits one long task, and makes the next wait for another turn", async () => {
    let turn = 0;
    let isOver = false;
    const counted = (async () => {
      while (!isOver) {
        await nextTurn();
        turn += 1;
      }
    })();
    const turns = await Promise.all(
      Array.from({ length: 5 }, () =>
        loop.run(acme, () => {
          work();
          return turn;
        }),
      ),
    );
    isOver = true;
    await counted;
    expect(new Set(turns).size).toBe(5);
  });

  it("admits several short tasks in one turn", async () => {
    let isNextTurn = false;
    setImmediate(() => {
      isNextTurn = true;
    });
    const turns = await Promise.all(Array.from({ length: 3 }, () => loop.run(acme, () => isNextTurn)));
    expect(turns).toEqual([false, false, false]);
  });

  it("is given to tenants round-robin", async () => {
    const order: number[] = [];
    const piece = (tenantId: number) =>
      loop.run(tenantId, () => {
        work();
        order.push(tenantId);
      });
    await Promise.all([piece(acme), piece(acme), piece(acme), piece(acme), piece(globex), piece(globex)]);
    expect(order).toEqual([acme, acme, globex, acme, globex, acme]);
  });

  it("is available again after a task that outlasted its turn, and after one that failed", async () => {
    await loop.run(acme, async () => {
      await nextTurn();
      await nextTurn();
      work();
    });
    const failed = loop.run(acme, () => {
      work();
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await loop.run(acme, () => "done")).toBe("done");
  });
});
