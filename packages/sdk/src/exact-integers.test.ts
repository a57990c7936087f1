/** Tests integers that a double cannot hold: a call ends with an error or, if asked to, returns them as bigints. */
import { describe, expect, it } from "vitest";
import { type ApiError, QuotaExceededError, UnsafeIntegerError } from "./index.ts";
import { accepted, answered } from "./testing/answering.ts";

const TEXT =
  '{"merchantId":"m1","messageId":"msg_1","limits":{"smsLimit":9007199254740993,"a/b~":[1,-9223372036854775808]},"note":"9"}';
const EXACT = {
  merchantId: "m1",
  messageId: "msg_1",
  limits: { smsLimit: 9007199254740993n, "a/b~": [1, -9223372036854775808n] },
  note: "9",
};
const reply = (text: string, status = 200) => new Response(text, { status, headers: { "x-request-id": "req_1" } });
const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

describe("a reply with an integer past 2^53 - 1", () => {
  it("fails the call with all details, once", async () => {
    const { client, sent } = answered(() => reply(TEXT), { maxRetries: 3 });
    const outcome = await client.send.sms(sms, { idempotencyKey: "k1" }).safe();
    if (outcome.ok) throw new Error("The call succeeded.");
    const { error, meta } = outcome;
    expect(error).toBeInstanceOf(UnsafeIntegerError);
    expect(error).toMatchObject({
      ...{ name: "UnsafeIntegerError", pointer: "/limits/smsLimit", digits: "9007199254740993", data: EXACT },
      ...{ requestId: "req_1", idempotencyKey: "k1", attempts: 1 },
    });
    expect(error.message).toMatch(/done.*9007199254740993 at \/limits\/smsLimit.*exactIntegers/);
    expect(meta).toMatchObject({ status: 200, requestId: "req_1", idempotencyKey: "k1", attempts: 1 });
    await expect(client.send.sms(sms).withResponse()).rejects.toThrow(UnsafeIntegerError);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ["[1,[2,-9007199254740992]]", "/1/1"],
    ['{"a/b":{"~":9007199254740992}}', "/a~1b/~0"],
    ["9007199254740992", ""],
  ])("of %s is reported at %j", async (text, pointer) => {
    const { client } = answered(() => reply(text));
    expect(await client.request("GET", "/any").catch((error: unknown) => error)).toMatchObject({ pointer });
  });

  it("is returned exactly if the call asks for it", async () => {
    const { client } = answered(() => reply(TEXT));
    expect(await client.merchants.get("m1", { exactIntegers: true })).toEqual(EXACT);
    const { data } = await client.merchants.get("m1", { exactIntegers: true }).withResponse();
    expect(data.limits.smsLimit).toBe(9007199254740993n);
  });

  it("is one row's failure, and is returned exactly if the run asks for it", async () => {
    const { client } = answered(() => reply(TEXT));
    const rows = [sms, sms];
    for await (const { ok } of client.send.many(rows, { channel: "SMS" })) expect(ok).toBe(false);
    for await (const outcome of client.send.many(rows, { channel: "SMS", exactIntegers: true }))
      expect(outcome).toMatchObject({ ok: true, data: EXACT });
  });

  it("ends a wait, and is returned exactly if the wait asks for it", async () => {
    const { client } = answered(() => reply('{"batchId":"7","status":"COMPLETED","totalCalls":9007199254740993}'));
    await expect(client.tts.waitForBatch(7)).rejects.toThrow(UnsafeIntegerError);
    const { totalCalls } = await client.tts.waitForBatch(7, { exactIntegers: true });
    expect(totalCalls).toBe(9007199254740993n);
  });

  it("leaves an error's class unchanged, with the text as its body", async () => {
    const text = '{"status":402,"code":"quota_exceeded","detail":"No.","required":9007199254740993}';
    const { client } = answered(() => reply(text, 402));
    const error = await client.send.sms(sms, { exactIntegers: true }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QuotaExceededError);
    expect(error).toMatchObject({ code: "quota_exceeded", body: text });
    expect((error as ApiError).message).toMatch(/^No\. /);
  });
});

describe("the raw client", () => {
  const get = { params: { path: { merchantId: "m1" } } } as const;

  it.each([{}, { "content-length": String(TEXT.length) }])("gives bigints, with headers %j", async (headers) => {
    const { client } = answered(() => new Response(TEXT, { headers }));
    expect((await client.raw.GET("/api/v1/merchants/{merchantId}", get)).data).toEqual(EXACT);
    expect((await client.raw.request("get", "/api/v1/merchants/{merchantId}", get)).data).toEqual(EXACT);
  });

  it("gives bigints in an error too", async () => {
    const { client } = answered(() => new Response(TEXT, { status: 402 }));
    expect((await client.raw.GET("/api/v1/merchants/{merchantId}", get)).error).toEqual(EXACT);
  });

  it("reads the reply that the caller's own middleware returned", async () => {
    const { client } = answered(() => accepted());
    client.raw.use({ onResponse: () => new Response(TEXT) });
    expect((await client.raw.GET("/api/v1/merchants/{merchantId}", get)).data).toEqual(EXACT);
  });

  it("returns a text if asked for one, and nothing for an empty reply", async () => {
    const { client } = answered(() => new Response(TEXT));
    expect((await client.raw.GET("/api/v1/merchants/{merchantId}", { ...get, parseAs: "text" })).data).toBe(TEXT);
    const empty = answered(() => new Response(null, { status: 204 }));
    const presence = { body: { sipUsername: "u1", registered: true } };
    const { data } = await empty.client.raw.POST("/api/v1/voice/provisioning/sip-presence", presence);
    expect(data).toBeUndefined();
  });
});
