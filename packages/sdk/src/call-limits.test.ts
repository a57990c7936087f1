import { expect, it } from "vitest";
import { CallLimits } from "./call-limits.ts";

const silence = () => new Promise<never>(() => {});

it("an attempt that is cut off does not affect the next one", async () => {
  const limits = new CallLimits(undefined, { timeoutMs: 1, totalTimeoutMs: Number.POSITIVE_INFINITY });
  await expect(limits.attempt(silence)).rejects.toBe("attempt");
  expect([limits.reached, limits.isOver]).toEqual(["attempt", false]);
  await expect(limits.attempt(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(limits.reached).toBe(undefined);
});

it("no attempt and no pause starts once the call is over", async () => {
  const limits = new CallLimits(undefined, { timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: 1 });
  await expect(limits.attempt(silence)).rejects.toBe("total");
  let attempts = 0;
  const attempt = limits.attempt(async () => {
    attempts += 1;
  });
  await expect(attempt).rejects.toBe("total");
  await expect(limits.pause(1)).rejects.toBe("total");
  expect([attempts, limits.isOver]).toEqual([0, true]);
});
