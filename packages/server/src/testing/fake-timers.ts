// For tests: fake timers that also replace the server's timers, which vitest's do not reach.

import { type MockInstance, vi } from "vitest";
import * as timers from "../platform/timers.ts";

type Faked = "Date" | "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval";

const spies: MockInstance[] = [];

/** Fakes these timers like `vi.useFakeTimers`, and also in the server's modules. */
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
