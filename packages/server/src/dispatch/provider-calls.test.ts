import { expect, it } from "vitest";
import { createVirtualClock } from "../development/clocks.ts";
import { type CallBounds, ProviderCalls } from "./provider-calls.ts";

function createCalls() {
  const clock = createVirtualClock(0);
  return { clock, calls: new ProviderCalls(clock, 1_000) };
}

const never = () => new Promise<never>(() => {});

it("ProviderCalls abandons a call that does not end in time, and aborts its signal", async () => {
  const { clock, calls } = createCalls();
  let signal: AbortSignal | undefined;
  const called = calls.run((bounds) => {
    signal = bounds.signal;
    return never();
  });
  const failed = expect(called).rejects.toThrow("the provider did not answer within 1000 ms");
  await clock.advanceBy(999);
  expect(signal?.aborted).toBe(false);
  await clock.advanceBy(1);
  expect(signal?.aborted).toBe(true);
  await failed;
});

it("ProviderCalls gives an abandoned call an aborted signal, even if it reads the signal late", async () => {
  const { calls } = createCalls();
  let bounds: CallBounds | undefined;
  const called = calls.run((given) => {
    bounds = given;
    return never();
  });
  calls.abandonAll();
  await expect(called).rejects.toThrow("the dispatcher was stopped");
  expect(bounds?.signal.aborted).toBe(true);
});

it("ProviderCalls lets a call extend its timeout", async () => {
  const { clock, calls } = createCalls();
  let answer = (_words: string) => {};
  const called = calls.run((bounds) => {
    bounds.allow(5_000);
    return new Promise<string>((resolve) => {
      answer = resolve;
    });
  });
  await clock.advanceBy(4_999);
  answer("in time");
  expect(await called).toBe("in time");
});
