import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairSemaphore, type SemaphoreBounds } from "./fair-queue.ts";

const [acme, globex] = [1, 2];

/** The names of requests in the order in which they got their permits. */
function open(bounds: SemaphoreBounds) {
  const semaphore = new FairSemaphore({ refuse: (reason) => new Error(`refused: ${reason}`), ...bounds });
  const seated: string[] = [];
  const leave = new Map<string, () => void>();
  const come = async (name: string, tenantId: number, signal?: AbortSignal, count = 1) => {
    leave.set(name, await semaphore.take(tenantId, signal, count));
    seated.push(name);
  };
  return { semaphore, seated, come, go: (name: string) => leave.get(name)?.() };
}

describe("permits", () => {
  it("are limited per tenant, and a released one goes to the tenant's next request", async () => {
    const { seated, come, go } = open({ atOnce: 4, perOwner: 2 });
    const all = ["a1", "a2", "a3", "a4"].map((name) => come(name, acme));
    const other = come("g1", globex);
    await nextTurn();
    expect(seated).toEqual(["a1", "a2", "g1"]);
    go("a1");
    // a second release has no effect
    go("a1");
    await nextTurn();
    expect(seated).toEqual(["a1", "a2", "g1", "a3"]);
    go("a2");
    await Promise.all([...all, other]);
  });

  it("are given round-robin when all are in use", async () => {
    const { seated, come, go } = open({ atOnce: 1, perOwner: 1 });
    const all = [come("a1", acme), come("a2", acme), come("a3", acme), come("g1", globex)];
    await nextTurn();
    for (const name of ["a1", "g1", "a2"]) {
      go(name);
      await nextTurn();
    }
    expect(seated).toEqual(["a1", "g1", "a2", "a3"]);
    await Promise.all(all);
  });

  it("are shared equally between many small requests and few large ones", async () => {
    const { seated, come, go } = open({ atOnce: 12, perOwner: 6 });
    const all = [
      ["a4", acme, 4],
      ["a3", acme, 3],
      ["a2", acme, 2],
      ["g6", globex, 6],
    ] as const;
    const coming = all.map(([name, tenantId, count]) => come(name, tenantId, undefined, count));
    await nextTurn();
    // three more would exceed the tenant's limit
    expect(seated).toEqual(["a4", "g6"]);
    go("a4");
    await Promise.all(coming);
    expect(seated).toEqual(["a4", "g6", "a3", "a2"]);
  });

  it("are reserved for a request that needs more than are free", async () => {
    const { seated, come, go } = open({ atOnce: 4, perOwner: 4 });
    await come("a1", acme);
    await come("g1", globex);
    const large = come("a4", acme, undefined, 3);
    const small = come("g2", globex);
    await nextTurn();
    expect(seated).toEqual(["a1", "g1"]);
    go("g1");
    await large;
    expect(seated).toEqual(["a1", "g1", "a4"]);
    go("a1");
    await small;
  });

  it("are not reserved for a request that was cancelled while it waited", async () => {
    const { seated, come, go } = open({ atOnce: 1, perOwner: 1 });
    await come("a1", acme);
    const client = new AbortController();
    const gone = come("a2", acme, client.signal);
    const next = come("g1", globex);
    client.abort();
    await expect(gone).rejects.toThrow("aborted");
    go("a1");
    await next;
    expect(seated).toEqual(["a1", "g1"]);
  });

  it("have a queue with a limit per owner and a limit on the number of owners", async () => {
    const { seated, come, go } = open({ atOnce: 1, perOwner: 1, mostWaiting: { perOwner: 1, owners: 2 } });
    await come("a1", acme);
    const second = come("a2", acme);
    await expect(come("a3", acme)).rejects.toThrow("refused: full");
    const other = come("g1", globex);
    await expect(come("i1", 3)).rejects.toThrow("refused: full");
    go("a1");
    await other;
    go("g1");
    await second;
    expect(seated).toEqual(["a1", "g1", "a2"]);
  });

  it("are refused after too long a wait, and after close()", async () => {
    const beginWait = (expire: () => void) => {
      queueMicrotask(expire);
      return () => {};
    };
    const { come } = open({ atOnce: 1, perOwner: 1, beginWait });
    await come("a1", acme);
    await expect(come("a2", acme)).rejects.toThrow("refused: late");
    const stopping = open({ atOnce: 1, perOwner: 1 });
    await stopping.come("a1", acme);
    const waiting = expect(stopping.come("a2", acme)).rejects.toThrow("refused: closed");
    stopping.semaphore.close();
    await waiting;
    await expect(stopping.come("a3", acme)).rejects.toThrow("refused: closed");
  });
});

describe("work with one permit", () => {
  /** Runs tasks one at a time, and records each when it begins. */
  function oneByOne() {
    const semaphore = new FairSemaphore({ atOnce: 1 });
    const begun: string[] = [];
    let isUnderWay = false;
    const run = (name: string, tenantId = acme) =>
      semaphore.run(tenantId, async () => {
        expect(isUnderWay).toBe(false);
        isUnderWay = true;
        begun.push(name);
        await Promise.resolve();
        isUnderWay = false;
        return name;
      });
    return { semaphore, begun, run };
  }

  it("runs one at a time, in the order of arrival", async () => {
    const { begun, run } = oneByOne();
    expect(await Promise.all([run("one"), run("two"), run("three")])).toEqual(["one", "two", "three"]);
    expect(await run("four")).toBe("four");
    expect(begun).toEqual(["one", "two", "three", "four"]);
  });

  it("continues after work that fails, synchronously or later", async () => {
    const { semaphore, run } = oneByOne();
    const failing = [
      semaphore.run(acme, () => Promise.reject(new Error("later"))),
      semaphore.run(acme, () => {
        throw new Error("at once");
      }),
    ];
    const next = run("next");
    expect(await Promise.allSettled(failing)).toMatchObject([
      { reason: { message: "later" } },
      { reason: { message: "at once" } },
    ]);
    expect(await next).toBe("next");
  });

  it("alternates with a tenant that makes each request only after its last one has ended", async () => {
    const { begun, run } = oneByOne();
    const loud = Array.from({ length: 20 }, (_, index) => run(`a${index}`));
    for (let count = 0; count < 5; count += 1) await run("g", globex);
    expect(begun.slice(0, 10)).toEqual(["a0", "g", "a1", "g", "a2", "g", "a3", "g", "a4", "g"]);
    await Promise.all(loud);
  });
});
