// Ids that instances draw concurrently, for rows of merchants that do not wait for each other.

import { expect, it } from "vitest";
import { openInstances } from "./testing/instances.ts";

const AT_ONCE = 60;

it("many ids can be drawn in one millisecond, even if another instance's clock is ahead", async () => {
  const instances = await openInstances(2);
  const upsert = (merchantId: string) =>
    instances.call(0, "POST", "/api/v1/merchants", {
      body: { merchantId, displayName: "One", voiceMinutesLimit: 10_000 },
    });
  const callFor = (index: number) =>
    instances.call(index % 2, "POST", "/api/v1/voice/tts-calls", {
      body: { merchantId: `m${index}`, toNumber: "+12025550100", messageText: "Hello", useCase: "OTP" },
    });
  for (let index = 0; index < AT_ONCE; index += 1) await upsert(`m${index}`);
  const batchIds = new Set<string>();
  for (let round = 1; round <= 3; round += 1) {
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => callFor(index)));
    expect(replies.filter(({ statusCode }) => statusCode >= 300).map(({ body }) => body)).toEqual([]);
    for (const reply of replies) batchIds.add(reply.json().batchId);
    expect(batchIds.size).toBe(round * AT_ONCE);
  }
  await instances.close();
});
