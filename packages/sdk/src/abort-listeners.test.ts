import { expect, it, vi } from "vitest";
import { onAbort } from "./abort-listeners.ts";
import { answered } from "./testing/answering.ts";

it("tells all who listen, but for those who took it back", () => {
  const controller = new AbortController();
  const acts = [vi.fn(), vi.fn(), vi.fn()] as const;
  const [, stopSecond] = acts.map((act) => onAbort(controller.signal, act));
  stopSecond?.();
  controller.abort();
  expect(acts.map((act) => act.mock.calls.length)).toEqual([1, 0, 1]);
});

it("leaves nothing on a signal that nobody listens to any more", () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const stops = [onAbort(signal, () => {}), onAbort(signal, () => {})];
  for (const stop of stops) stop();
  expect(added).toHaveBeenCalledOnce();
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual([added.mock.calls[0]?.[1]]);
});

it("makes Node warn of no leak where many calls share a signal", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  const { signal } = new AbortController();
  const { client } = answered(() => Response.json([]));
  await Promise.all(Array.from({ length: 50 }, () => client.merchants.list({ signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
});
