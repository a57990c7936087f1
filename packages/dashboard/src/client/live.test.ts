import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { follow } from "./live.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("navigator", {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const refused = (status: number) => new Response(JSON.stringify({ status }), { status });
const stream = (text: string) => new Response(text, { headers: { "content-type": "text/event-stream" } });

/** Follows a stream for ten seconds. The server sends these replies in order, and then a stream that never ends. */
async function followed(replies: readonly Response[]) {
  const asked = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(new ReadableStream()));
  for (const reply of replies) asked.mockResolvedValueOnce(reply);
  const events: unknown[] = [];
  const states: boolean[] = [];
  const stop = follow(
    "followMessages",
    {},
    { onEvent: (event) => events.push(event), onState: (is) => states.push(is) },
  );
  await vi.advanceTimersByTimeAsync(10_000);
  stop();
  return { events, states, count: asked.mock.calls.length };
}

it("the client reopens a stream that ended, and reports the events of both", async () => {
  const told = await followed([stream("event: a\ndata: 1\n\n"), stream("event: b\ndata: 2\n\n")]);
  expect(told.events).toEqual([
    { event: "a", data: "1" },
    { event: "b", data: "2" },
  ]);
  expect(told).toMatchObject({ states: [true, false, true, false, true], count: 3 });
});

it.each([429, 500, 503])("the client retries after status %i, because the error is temporary", async (status) => {
  expect(await followed([refused(status), stream("data: 1\n\n")])).toMatchObject({
    events: [{ event: "message", data: "1" }],
    states: [false, true, false, true],
  });
});

it.each([400, 403, 404])(
  "the client does not retry after status %i, because a retry would be refused too",
  async (status) => {
    expect(await followed([refused(status)])).toEqual({ events: [], states: [], count: 1 });
  },
);
