// For tests: fake timers, for the server's own too, which vitest's do not reach.

import { type MockInstance, vi } from "vitest";
import * as timers from "../platform/timers.ts";

type Faked = "Date" | "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval";

const spies: MockInstance[] = [];

/** Fakes these timers, as `vi.useFakeTimers` does, in the server's modules as well. */
export function useFakeTimers({ toFake, now }: { toFake: readonly Faked[]; now?: number }): void {
  vi.useFakeTimers({ toFake: [...toFake], ...(now !== undefined && { now }) });
  for (const name of toFake) {
    if (name !== "Date") spies.push(vi.spyOn(timers, name).mockImplementation(globalThis[name] as never));
  }
}

export function useRealTimers(): void {
  for (const spy of spies.splice(0)) spy.mockRestore();
  vi.useRealTimers();
}
