import type { Clock } from "../../platform/clock.ts";

/** Waits for work to end, but no longer than `timeoutMs`. */
export async function endWithin(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.at(clock.now() + timeoutMs, resolve);
  });
  await Promise.race([work, timeout]);
  cancel();
}
