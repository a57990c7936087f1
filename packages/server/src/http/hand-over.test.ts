import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHandOver } from "./server.ts";

let app: FastifyInstance;
let other: FastifyInstance;
const create = vi.fn(async () => other);
beforeEach(() => {
  app = fastify({ return503OnClosing: false });
  other = fastify({ return503OnClosing: false });
  other.post("/other/echo", (request, reply) => reply.send({ echo: request.body }));
  create.mockClear();
  const handOver = createHandOver(app, create);
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) handOver(request, reply);
    else done();
  });
  app.get("/own", () => "own");
});
afterEach(() => app.close());

const echo = () => app.inject({ method: "POST", url: "/other/echo", payload: { a: "1" } });

it("the hand-over creates the other app at its first request, and answers requests that arrive until it is ready", async () => {
  expect((await app.inject("/own")).body).toBe("own");
  expect(create).not.toHaveBeenCalled();
  const replies = await Promise.all([echo(), echo(), echo()]);
  expect(replies.map((reply) => reply.json())).toEqual(Array(3).fill({ echo: { a: "1" } }));
  expect(create).toHaveBeenCalledTimes(1);
});

it("the hand-over answers with the error if the other app cannot be created, and tries again at the next request", async () => {
  create.mockRejectedValueOnce(new Error("no files"));
  expect((await echo()).json()).toMatchObject({ statusCode: 500, message: "no files" });
  expect((await echo()).statusCode).toBe(200);
});

it("the hand-over closes the other app with the first one, even while the other app is being created", async () => {
  const onClose = vi.fn(async () => {});
  other.addHook("onClose", onClose);
  let make = () => {};
  create.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        make = () => resolve(other);
      }),
  );
  await app.ready();
  const answered = echo();
  await expect.poll(() => create).toHaveBeenCalled();
  const closed = app.close();
  make();
  await closed;
  expect(onClose).toHaveBeenCalledTimes(1);
  expect((await answered).statusCode).toBe(200);
});

it("if the other app is first requested while the first one closes, it still answers before it is closed", async () => {
  const onClose = vi.fn(async () => {});
  other.addHook("onClose", onClose);
  let goOn = () => {};
  const isHeld = new Promise<void>((resolve) => {
    // runs after the hook of the hand-over
    app.addHook("preClose", () => {
      resolve();
      return new Promise<void>((done) => {
        goOn = done;
      });
    });
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const closed = app.close();
  await isHeld;
  const reply = await fetch(`${address}/other/echo`, { method: "POST" });
  expect(reply.status).toBe(200);
  await reply.text();
  expect(onClose).toHaveBeenCalledTimes(1);
  goOn();
  await closed;
});
