import { expect, it } from "vitest";
import { Following } from "./following.ts";
import { SearchIndex } from "./search-index.ts";
import type { FollowedMessage, SearchSource } from "./search-source.ts";

it("viewers are notified of new messages while indexing pauses", async () => {
  const messages: FollowedMessage[] = [];
  const source: SearchSource = {
    streams: [
      {
        name: "messages",
        listAfter: async (after, limit, before = "~") =>
          messages.filter(({ position }) => position > after && position < before).slice(0, limit),
        listBefore: async () => [],
        listWithin: async () => [],
        positionAt: (epochMs) => String(epochMs).padStart(16, "0"),
      },
    ],
    listErasedAfter: async () => [],
    erasedPositionAt: String,
    find: async () => [],
  };
  let rests = 0;
  const errors: unknown[] = [];
  const following = new Following({
    source,
    openIndex: () => SearchIndex.open(":memory:"),
    clock: { now: Date.now },
    findRest() {
      rests += 1;
      return 60 * 60_000;
    },
    onError: (error) => errors.push(error),
  });
  const told: string[] = [];
  const all = {
    scope: { tenantId: 1, merchantId: undefined },
    search: { conditions: [], from: undefined, until: undefined },
  };
  const end = following.watch(all, (changes) => told.push(...changes.messages.map(({ messageId }) => messageId)));
  await expect.poll(() => rests).toBe(1);
  const createdAt = Date.now();
  messages.push({
    ...{ messageId: "msg_1", tenantId: 1, merchantId: "m1", channel: "SMS", type: "OTP", status: "QUEUED" },
    ...{ reason: null, project: null, subject: null, content: "Hi", to: "+12025550100", isFinal: false },
    ...{ createdAt, position: `${String(createdAt).padStart(16, "0")}.1` },
  });
  await expect.poll(() => told).toEqual(["msg_1"]);
  expect([rests, errors]).toEqual([1, []]);
  end();
  // ends the pause
  await following.close();
});
