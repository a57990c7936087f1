import { describe, expect, it, vi } from "vitest";
import { ConnectionError, ConsentError, endedCall, UsageError } from "./index.ts";
import { answered, problem } from "./testing/answering.ts";

const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "MARKETING" } as const;
const view = { merchantId: "m1", channel: "SMS", messageId: "msg_1", status: "QUEUED" };
const headers = { "x-request-id": "req-1", "idempotent-replayed": "true" };

it("a call is a promise of its data", async () => {
  const { client } = answered(() => Response.json(view));
  const call = client.send.sms(body);
  expect(call).toBeInstanceOf(Promise);
  expect(await call).toEqual(view);
});

it("a call becomes a plain promise when it is chained", async () => {
  const { client } = answered(() => Response.json(view));
  const following = client.send.sms(body).then(({ status }) => status);
  expect(following.constructor).toBe(Promise);
  expect(await following).toBe("QUEUED");
});

it("a call makes one request, however often it is read", async () => {
  const { client, sent } = answered(() => Response.json(view));
  const call = client.send.sms(body);
  await Promise.all([call, call, call.safe(), call.withResponse()]);
  expect(sent).toHaveLength(1);
});

it("a call starts without being awaited", async () => {
  const { client, sent } = answered(() => Response.json(view));
  void client.send.sms(body);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toHaveLength(1);
});

it("a call returns the metadata of its reply", async () => {
  const { client } = answered(() => Response.json(view, { headers }));
  const { data, meta } = await client.send.sms(body, { idempotencyKey: "k1" }).withResponse();
  expect(data).toEqual(view);
  expect(meta).toMatchObject({ status: 200, requestId: "req-1", attempts: 1, idempotencyKey: "k1", replayed: true });
  expect(meta.headers.get("x-request-id")).toBe("req-1");
});

it("a call throws the same error from withResponse", async () => {
  const { client } = answered(() => problem(422, "consent_required"));
  await expect(client.send.sms(body).withResponse()).rejects.toThrow(ConsentError);
});

it("safe returns a failure as a value", async () => {
  const { client } = answered(() => problem(422, "consent_required", {}, { "x-request-id": "req-2" }));
  const outcome = await client.send.sms(body, { idempotencyKey: "k1" }).safe();
  expect(outcome).toMatchObject({
    ok: false,
    error: expect.any(ConsentError),
    meta: { status: 422, requestId: "req-2", attempts: 1, idempotencyKey: "k1" },
  });
});

it("safe also returns a refusal before the first request as a value", async () => {
  const { client } = answered(() => Response.json(view));
  const outcome = await client.merchants.get("..").safe();
  expect(outcome).toMatchObject({ ok: false, error: expect.any(UsageError), meta: { attempts: 0 } });
  expect(outcome.meta).not.toHaveProperty("status");
});

it("no rejection stays unhandled after a failure that was read as a value", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const { client } = answered(() => problem(422, "consent_required"));
  await client.send.sms(body).safe();
  await client.send
    .sms(body)
    .withResponse()
    .catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

describe("a mock of a method", () => {
  it("returns a call that has ended with data", async () => {
    const { client, sent } = answered(() => Response.json(view));
    vi.spyOn(client.send, "sms").mockReturnValue(endedCall(view, { replayed: true }));
    const call = client.send.sms(body);
    expect(await call).toEqual(view);
    expect(await call.withResponse()).toMatchObject({ data: view, meta: { status: 200, attempts: 1, replayed: true } });
    expect(await call.safe()).toMatchObject({ ok: true, data: view, meta: { requestId: undefined } });
    expect(sent).toEqual([]);
  });

  it("returns a call that has failed", async () => {
    const { client } = answered(() => Response.json(view));
    const error = new ConnectionError("No network.");
    vi.spyOn(client.send, "sms").mockImplementation(() => endedCall(Promise.reject(error), { attempts: 3 }));
    await expect(client.send.sms(body)).rejects.toBe(error);
    await expect(client.send.sms(body).withResponse()).rejects.toBe(error);
    expect(await client.send.sms(body).safe()).toEqual({ ok: false, error, meta: { attempts: 3 } });
  });
});
