import { once } from "node:events";
import { Readable } from "node:stream";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { answerHead } from "./replies.ts";

let app: FastifyInstance;
beforeEach(() => {
  app = fastify({ exposeHeadRoutes: false });
  answerHead(app);
});
afterEach(() => app.close());

it("answers HEAD with the headers of GET", async () => {
  app.get("/", (_request, reply) => reply.header("ETag", '"1"').send({ a: 1 }));
  const [got, asked] = [await app.inject("/"), await app.inject({ method: "HEAD", url: "/" })];
  expect([asked.statusCode, asked.body]).toEqual([200, ""]);
  const { date: _got, ...expected } = got.headers;
  expect(asked.headers).toMatchObject(expected);
});

it("releases a stream for HEAD without reading it", async () => {
  let pages = 0;
  const stream = Readable.from(
    (function* () {
      for (;;) {
        pages += 1;
        yield String(pages);
      }
    })(),
  );
  const closed = once(stream, "close");
  app.get("/", (_request, reply) => reply.type("application/json").send(stream));
  const reply = await app.inject({ method: "HEAD", url: "/" });
  expect([reply.statusCode, reply.headers["content-type"], reply.body]).toEqual([200, "application/json", ""]);
  await closed;
  expect(pages).toBe(0);
});

it("does not affect routes that do not answer GET", async () => {
  app.post("/", (_request, reply) => reply.send("done"));
  expect((await app.inject({ method: "HEAD", url: "/" })).statusCode).toBe(404);
});
