import { expect, it, vi } from "vitest";
import type { Searches } from "../search/searches.ts";
import { AskedSearches } from "./message-operations.ts";

const user = (id: number) => ({ apiKey: `user ${id}`, tenantId: 1, timezone: "UTC", merchantId: null });
const asked = { search: { conditions: [], from: undefined, until: undefined }, limit: 50, cursor: undefined };

it("each user may have 4 searches in progress, whatever other users do", async () => {
  const ends: (() => void)[] = [];
  const find = vi.fn(() => new Promise((resolve) => ends.push(() => resolve("found"))));
  const searches = new AskedSearches({ find } as unknown as Searches);
  const found = Array.from({ length: 4 }, () => searches.find(user(1), asked));
  await expect(searches.find(user(1), asked)).rejects.toMatchObject({
    code: "unavailable",
    message: "You have 4 searches in progress, which is the limit per user. Wait until one has ended.",
  });
  found.push(searches.find(user(2), asked));
  await expect.poll(() => ends).toHaveLength(5);
  for (const end of ends.splice(0)) end();
  expect(await Promise.all(found)).toEqual(found.map(() => "found"));
  const next = searches.find(user(1), asked);
  await expect.poll(() => ends).toHaveLength(1);
  ends[0]?.();
  expect(await next).toBe("found");
});
