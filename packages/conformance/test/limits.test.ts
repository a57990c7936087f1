// Limits of requests that are too costly to test on somebody else's server.

import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const MIB = 1 << 20;

it("accepts 10 000 numbers", async () => {
  const { body, ...request } = world.request("createTtsCalls");
  const toNumbers = Array.from({ length: 10_000 }, (_, index) => `+1212${5_550_000 + index}`);
  const reply = await world.send({ ...request, body: { ...(body as object), toNumbers } });
  // 402 also shows that the request is valid: the server found no fault in it before it checked the quota
  expect([200, 402], reply.body).toContain(reply.statusCode);
});

it("accepts a body of 2 MiB, but no longer one", async () => {
  const { method, url, body } = world.request("upsertMerchant");
  const content = JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const send = (length: number) => world.service.call(method, url, { body: content.padEnd(length), headers });
  expect((await send(2 * MIB)).statusCode).toBe(200);
  expect((await send(2 * MIB + 1)).json()).toMatchObject({ status: 413, code: "payload_too_large" });
});
