import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { MessagingClient } from "../index.ts";

it("a run sends any number of rows from an async source in constant memory", async () => {
  const ROWS = 20_000;
  const CONCURRENCY = 16;
  let [read, done, mostAhead, underWay, mostUnderWay, failed] = [0, 0, 0, 0, 0, 0];
  async function* rows() {
    for (; read < ROWS; ) {
      read += 1;
      mostAhead = Math.max(mostAhead, read - done);
      yield { merchantId: "m1", to: "+12025550100", message: `Hello ${read}`, type: "OTP" } as const;
    }
  }
  const reply = { status: 200, ok: true, type: "basic", headers: new Headers(), text: async () => '{"messageId":"m"}' };
  const client = new MessagingClient({
    ...{ apiKey: "k", apiSecret: "s", baseUrl: "https://api.example.test" },
    fetch: async () => {
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      await nextTurn();
      underWay -= 1;
      return reply as unknown as Response;
    },
  });
  const heapAfter: number[] = [];
  const { signal } = new AbortController();
  for await (const outcome of client.send.many(rows(), { channel: "SMS", concurrency: CONCURRENCY, signal })) {
    if (!outcome.ok) failed += 1;
    done += 1;
    if (done % 5_000 === 0) heapAfter.push(heapBytes());
  }
  expect([read, done, failed]).toEqual([ROWS, ROWS, 0]);
  expect([mostAhead, mostUnderWay]).toEqual([CONCURRENCY, CONCURRENCY]);
  // If 32 bytes were kept of each row, this would be 480 kB.
  const [first = 0, ...later] = heapAfter;
  expect(later).toHaveLength(3);
  expect(Math.max(...later) - first).toBeLessThan(240_000);
});

let turn: Promise<void> | undefined;

/** Lets all waiting calls continue in the same turn, so that as many calls as possible run at once. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/** The reachable heap, after a garbage collection. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return getHeapStatistics().used_heap_size;
}
