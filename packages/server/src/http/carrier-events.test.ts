import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EventsReceiver, EventsReply, EventsRequest } from "../domain/carrier-events.ts";
import { addCarrierEventsRoute } from "./carrier-events.ts";

let app: FastifyInstance;
let received: EventsRequest[];
let answer: () => Promise<EventsReply>;
beforeEach(() => {
  app = fastify();
  received = [];
  answer = async () => ({ status: 204 });
  const carrier: EventsReceiver = {
    name: "c",
    receive(request) {
      received.push(request);
      return answer();
    },
  };
  const receivers = new Map<string, EventsReceiver>([
    ["secret", carrier],
    ["unusable", { name: "d" }],
  ]);
  addCarrierEventsRoute(app, { findReceiver: (eventsId) => receivers.get(eventsId) });
});
afterEach(() => app.close());

const post = (url: string, payload: string | Buffer = "a=1", type = "application/x-www-form-urlencoded") =>
  app.inject({ method: "POST", url, payload, headers: { "content-type": type } });

it("passes the body to the carrier as it was sent, with the query and the headers", async () => {
  for (const type of ["application/x-www-form-urlencoded", "application/json", "text/plain; charset=utf-16"]) {
    const body = Buffer.from([0xff, 0x00, 0x7b]);
    expect((await post("/carriers/secret/events?message=a%20b&x", body, type)).statusCode).toBe(204);
    expect(received.at(-1)).toMatchObject({ query: "message=a%20b&x", headers: { "content-type": type } });
    expect(received.at(-1)?.body.equals(body)).toBe(true);
  }
});

it("sends the carrier's answer", async () => {
  answer = async () => ({ status: 200, contentType: "text/xml", body: "<Response/>" });
  const reply = await post("/carriers/secret/events");
  expect([reply.statusCode, reply.headers["content-type"], reply.body]).toEqual([200, "text/xml", "<Response/>"]);
  expect(reply.headers["cache-control"]).toBe("no-store");
});

it("asks the provider to repeat what could not be recorded", async () => {
  for (const failing of [() => Promise.reject(new Error("no database")), async () => ({ status: 503 }) as const]) {
    answer = failing;
    const reply = await post("/carriers/secret/events");
    expect([reply.statusCode, reply.headers["retry-after"]]).toEqual([503, "5"]);
  }
});

it("asks the provider to repeat a request while the carrier cannot be used", async () => {
  expect((await post("/carriers/unusable/events")).statusCode).toBe(503);
});

it("records 64 requests of a carrier at once, and puts more off", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  answer = () => held.then(() => ({ status: 204 }));
  const replies = Array.from({ length: 65 }, () => post("/carriers/secret/events"));
  expect((await Promise.race(replies)).statusCode).toBe(503);
  letGo();
  const statuses = (await Promise.all(replies)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 204)).toHaveLength(64);
  expect((await post("/carriers/secret/events")).statusCode).toBe(204);
});

it("knows no other URL, method or larger body", async () => {
  expect((await post("/carriers/unknown/events")).statusCode).toBe(404);
  expect((await app.inject({ method: "GET", url: "/carriers/secret/events" })).statusCode).toBe(404);
  expect((await post("/carriers/secret/events", Buffer.alloc(1_048_577))).statusCode).toBe(413);
  expect(received).toEqual([]);
});
