// How much a request may hold: the most that is said is taken, and one more is not.

import type { OperationId } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const text = (character: string) => (count: number) => character.repeat(count);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+1212${5_550_000 + index}`);
const MIB = 1 << 20;

const limits: [OperationId, string, number, string, (count: number) => unknown][] = [
  ["upsertMerchant", "merchantId", 64, "wrong_pattern", text("a")],
  ["upsertMerchant", "displayName", 200, "too_long", text("a")],
  ["recordConsent", "source", 200, "too_long", text("a")],
  ["sendSms", "message", 1_600, "too_long", text("a")],
  ["sendSms", "message", 1_600, "too_long", text("😀")],
  ["sendDirectSms", "message", 1_600, "too_long", text("a")],
  ["sendVoice", "text", 3_000, "too_long", text("😀")],
  ["createTtsCalls", "messageText", 3_000, "too_long", text("😀")],
  ["createTtsCalls", "toNumbers", 10_000, "too_many", numbers],
  ["sendEmail", "subject", 998, "too_long", text("a")],
  ["sendEmail", "body", MIB, "too_long", text("a")],
  ["sendEmail", "body", MIB / 2, "too_long", text("é")],
  ["sendDirectEmail", "body", MIB, "too_long", text("a")],
  ["sendDirectEmail", "body", MIB / 4, "too_long", text("😀")],
];

describe.each(limits)("%s: %s of %i", (operationId, field, most, code, make) => {
  const send = (count: number) => {
    const request = world.request(operationId);
    return world.send({ ...request, body: { ...(request.body as object), [field]: make(count) } });
  };

  it("is taken", async () => {
    // whatever becomes of it, there is no fault in it
    const reply = await send(most);
    expect([200, 402], reply.body).toContain(reply.statusCode);
  });

  it(`and one more is ${code}`, async () => {
    const reply = await send(most + 1);
    expect(reply.statusCode, reply.body).toBe(400);
    expect(reply.json().errors).toContainEqual(expect.objectContaining({ pointer: `/${field}`, code }));
  });
});

it("reads a body of 2 MiB, and no more", async () => {
  const { method, url, body } = world.request("upsertMerchant");
  const content = JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const send = (length: number) => world.service.call(method, url, { body: content.padEnd(length), headers });
  expect((await send(2 * MIB)).statusCode).toBe(200);
  expect((await send(2 * MIB + 1)).json()).toMatchObject({ status: 413, code: "payload_too_large" });
});
