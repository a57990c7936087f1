import { describe, expect, it } from "vitest";
import { MessagingClient, MessagingError, UsageError } from "./index.ts";
import { accepted, answered } from "./testing/answering.ts";
import { signWebhook, verifyWebhook } from "./webhooks/index.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;
const consent = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" } as const;
const given = { apiKey: "key", apiSecret: "secret", baseUrl: "https://api.example.test" };
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Options as plain JavaScript may pass them: the compiler refuses each. */
const loose = (options: object) => options as never;

/** Runs `act`, and returns the error with which the SDK refused it. */
async function refused(act: () => unknown): Promise<MessagingError> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error as MessagingError;
  }
  throw new Error("The call was not refused.");
}

describe("a misspelt option", () => {
  const { client, sent } = answered(() => accepted());
  const sign = (options: object) => signWebhook({ type: "x", data: 1 }, secret, loose(options));
  it.each<[string, string, () => unknown]>([
    ["idempotencykey", "idempotencyKey", () => client.send.sms(sms, loose({ idempotencykey: "order-7" }))],
    ["idempotency_key", "idempotencyKey", () => client.send.sms(sms, loose({ idempotency_key: "order-7" }))],
    ["timeout", "timeoutMs", () => client.merchants.get("m1", loose({ timeout: 5 }))],
    ["maxRetrys", "maxRetries", () => client.merchants.list(loose({ maxRetrys: 0 }))],
    ["querry", "query", () => client.request("GET", "/api/v1/merchants", loose({ querry: {} }))],
    ["keyprefix", "keyPrefix", () => client.send.many([sms], loose({ channel: "SMS", keyprefix: "a" }))],
    ["concurency", "concurrency", () => client.consent.recordMany([consent], loose({ concurency: 2 }))],
    ["pollMS", "pollMs", () => client.tts.waitForBatch("7", loose({ pollMS: 100 }))],
    ["baseURL", "baseUrl", () => new MessagingClient(loose({ ...given, baseURL: "https://elsewhere.test" }))],
    ["timeout", "timeoutMs", () => new MessagingClient(loose({ ...given, timeout: 5 }))],
    ["tolerance", "toleranceMs", () => verifyWebhook("{}", {}, secret, loose({ tolerance: 1 }))],
    ["ID", "id", () => sign({ ID: "evt_1" })],
    ["onRequests", "onRequest", () => new MessagingClient({ ...given, hooks: loose({ onRequests: () => {} }) })],
  ])("%s is refused, and %s suggested", async (name, meant, act) => {
    const { message } = await refused(act);
    expect(message).toContain(`unknown "${name}". Did you mean ${meant}? Allowed are `);
    expect(sent).toEqual([]);
  });
});

it("lists the allowed options if an unknown option resembles none of them", async () => {
  const { client } = answered(() => accepted());
  expect((await refused(() => client.merchants.list(loose({ cache: true })))).message).toBe(
    'Options of the call: unknown "cache". Allowed are signal, timeoutMs, totalTimeoutMs, maxRetries, maxReplyBytes, ' +
      "headers, exactIntegers, idempotencyKey: leave out the rest.",
  );
});

it('does not suggest the short name "to" for the unknown name "text"', async () => {
  const { client } = answered(() => accepted());
  for await (const outcome of client.send.many(loose([{ ...sms, text: "Hi" }]), { channel: "SMS" }))
    expect(outcome).toMatchObject({ error: { message: expect.stringMatching(/^Row 0: unknown "text"\. Allowed/) } });
});

it.each(["order-7", 7, null])("does not throw synchronously for options that are %o", async (options) => {
  const { client, sent } = answered(() => accepted());
  const call = client.send.sms(sms, options as never);
  if (typeof options === "string") await expect(call).rejects.toThrow('Options of the call: unknown "0".');
  else await call;
  expect(sent).toHaveLength(typeof options === "string" ? 0 : 1);
});

it("allows an undefined option of any name", async () => {
  const { client } = answered(() => accepted());
  await client.merchants.get("m1", loose({ idempotencykey: undefined, signal: undefined }));
});

it("accepts a client's options from an object that has other members too", () => {
  const shared = { ...given, merchantId: "m1", handlers: [], clock: {}, webhookSecret: "whsec_", messages: () => [] };
  expect(new MessagingClient(shared)).toBeInstanceOf(MessagingClient);
});

describe("a row with unknown columns, as from a database,", () => {
  it.each([
    ["SMS", sms, "merchantId, to, message, type"],
    ["VOICE", { merchantId: "m1", to: "+12025550100", text: "Hi", type: "OTP" }, "timeoutSeconds"],
    ["EMAIL", { merchantId: "m1", to: "a@b.example", subject: "Hi", body: "Hi", type: "OTP" }, "subject, body, type"],
  ] as const)("is refused by send.many for %s before any request", async (channel, row, allowed) => {
    const { client, sent } = answered(() => accepted());
    const rows = [{ ...row, id: 7, created_at: new Date(0) }, row];
    const outcomes = [];
    for await (const outcome of client.send.many(loose(rows), { channel, concurrency: 1 })) outcomes.push(outcome);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true]);
    const [first] = outcomes;
    if (!first || first.ok) throw new Error("The first row was sent.");
    expect(first.error).toBeInstanceOf(UsageError);
    expect(first.error.message).toMatch(/^Row 0: unknown "created_at"\. Allowed are merchantId, /);
    expect(first.error.message).toContain(allowed);
    expect(sent).toHaveLength(1);
  });

  it("is refused by recordMany, with a suggestion for a column that differs in case", async () => {
    const { client, sent } = answered(() => accepted());
    for await (const outcome of client.consent.recordMany(loose([{ ...consent, Source: "form" }])))
      expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining("Did you mean source?") } });
    expect(sent).toEqual([]);
  });
});

it("shows only a part of a long option name", async () => {
  const { client } = answered(() => accepted());
  const long = { ["x".repeat(10_000)]: 1 };
  expect((await refused(() => client.merchants.list(loose(long)))).message.length).toBeLessThan(300);
});

it("reports an unknown option like any other error of a call", async () => {
  const { client } = answered(() => accepted());
  const outcome = await client.send.sms(sms, loose({ idempotencykey: "order-7" })).safe();
  expect(outcome).toMatchObject({ ok: false, error: expect.any(MessagingError), meta: { attempts: 0 } });
});
