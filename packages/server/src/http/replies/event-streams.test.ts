import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EventSink } from "../../domain/handler.ts";
import { useFakeTimers, useRealTimers } from "../../testing/fake-timers.ts";
import { EventStreams, MOST_STREAMS } from "./event-streams.ts";

let app: FastifyInstance;
let address: string;
let streams: EventStreams;
let opened: EventSink[];
let ended: number;

beforeEach(async () => {
  // no automatic comments, because a write would detect clients that have left
  useFakeTimers({ toFake: ["setInterval"] });
  [opened, ended] = [[], 0];
  streams = new EventStreams();
  app = fastify({ forceCloseConnections: true });
  // like the server's
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.setErrorHandler((error: { code?: string }, _request, reply) => reply.code(429).send({ code: error.code }));
  app.get<{ Params: { tenantId: string; user: string } }>("/:tenantId/:user", (request, reply) => {
    const { tenantId, user } = request.params;
    const caller = { apiKey: `user ${user}`, tenantId: Number(tenantId), timezone: "UTC", merchantId: null };
    const stream = (_caller: unknown, _input: unknown, events: EventSink) => {
      opened.push(events);
      events.onEnd(() => {
        ended += 1;
      });
    };
    streams.send(reply, { stream }, caller, { path: {}, query: {}, body: undefined });
  });
  address = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  await app.close();
  useRealTimers();
});

async function open(tenantId = 1, user = 0) {
  const stop = new AbortController();
  const reply = await fetch(`${address}/${tenantId}/${user}`, { signal: stop.signal });
  return { reply, leave: () => stop.abort() };
}

it("sends events as they come, with headers against buffering and caching", async () => {
  const { reply, leave } = await open();
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  opened[0]?.send("messages", { text: "two\nlines" });
  let text = "";
  while (!text.includes("lines")) text += (await reader?.read())?.value ?? "";
  expect(text).toBe('retry: 1000\n\nevent: messages\ndata: {"text":"two\\nlines"}\n\n');
  leave();
  await expect.poll(() => ended).toBe(1);
});

it("ends only the stream whose client does not read it", async () => {
  const [slow, other] = [await open(), await open(2)];
  const event = { text: "x".repeat(100_000) };
  while (ended === 0) {
    opened[0]?.send("messages", event);
    await new Promise(setImmediate);
  }
  expect(ended).toBe(1);
  opened[1]?.send("messages", {});
  for (const { leave } of [slow, other]) leave();
  await expect.poll(() => ended).toBe(2);
});

it("limits the number of streams per user, per tenant and in total", async () => {
  const { ofUser, ofTenant, inAll } = MOST_STREAMS;
  const open200 = (tenantId: number) =>
    Promise.all(Array.from({ length: ofTenant }, (_, index) => open(tenantId, Math.floor(index / ofUser))));
  const own = await Promise.all(Array.from({ length: ofUser }, () => open(0, 1)));
  expect((await open(0, 1)).reply.status).toBe(429);
  expect((await open(0, 2)).reply.status).toBe(200);
  streams.stop();
  streams = new EventStreams();
  expect(own.length).toBe(ofUser);
  [opened, ended] = [[], 0];
  const all = await open200(1);
  expect((await open(1, 99)).reply.status).toBe(429);
  for (let tenantId = 2; all.length < inAll; tenantId += 1) all.push(...(await open200(tenantId)));
  const refused = (await open(99)).reply;
  expect([refused.status, await refused.json()]).toEqual([429, { code: "rate_limited" }]);
  all.pop()?.leave();
  await expect.poll(() => ended).toBe(1);
  expect((await open(99)).reply.status).toBe(200);
  streams.stop();
  expect([opened.length, ended]).toEqual([inAll + 1, inAll + 1]);
});

it("ends streams when the server stops, and does not delay the stop", async () => {
  const { reply } = await open();
  streams.stop();
  await reply.text();
  expect(ended).toBe(1);
});
