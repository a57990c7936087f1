import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import { onAbort } from "./abort-listeners.ts";
import type { MessagingClient } from "./index.ts";
import { answered } from "./testing/answering.ts";

it("calls all listeners, except those that were removed", () => {
  const controller = new AbortController();
  const acts = [vi.fn(), vi.fn(), vi.fn()] as const;
  const [, stopSecond] = acts.map((act) => onAbort(controller.signal, act));
  stopSecond?.();
  controller.abort();
  expect(acts.map((act) => act.mock.calls.length)).toEqual([1, 0, 1]);
});

it("leaves nothing on a signal without listeners", () => {
  const { signal } = new AbortController();
  const stops = [onAbort(signal, () => {}), onAbort(signal, () => {})];
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  for (const stop of stops) stop();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

/** A reply with the ids of both a batch and a message. */
const reply = { batchId: "7", status: "COMPLETED", messageId: "msg_1" };
const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

async function drain(run: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of run);
}

it.each<[string, (client: MessagingClient, signal: AbortSignal) => Promise<unknown>]>([
  ["calls", (client, signal) => client.merchants.list({ signal })],
  ["waits", (client, signal) => client.tts.waitForBatch(7, { signal })],
  ["runs", (client, signal) => drain(client.send.many([sms], { channel: "SMS", signal }))],
])("removes its listeners, so that Node warns of no leak, when many %s share a signal", async (_, start) => {
  const warned = vi.fn();
  process.on("warning", warned);
  const { signal } = new AbortController();
  const { client } = answered(({ url }) => (url.endsWith("/merchants") ? Response.json([]) : Response.json(reply)));
  await Promise.all(Array.from({ length: 50 }, () => start(client, signal)));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
