import { describe, expect, it } from "vitest";
import { UsageError } from "./errors.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { accepted, answered } from "./testing/answering.ts";

const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;
const call = { merchantId: "m1", toNumber: "+12025550100", messageText: "Hello", useCase: "OTP" };
const keys = (sent: { headers: Record<string, string> }[]) => sent.map(({ headers }) => headers["idempotency-key"]);

it("makes a fresh key for every write", async () => {
  const { client, sent } = answered(() => accepted());
  await client.send.sms(body);
  await client.send.sms(body);
  expect(new Set(keys(sent)).size).toBe(2);
  expect(keys(sent)[0]).toMatch(/^[0-9a-f-]{36}$/);
});

it("makes no key for a read", async () => {
  const { client, sent } = answered(() => Response.json([]));
  await client.merchants.list();
  expect(keys(sent)).toEqual([undefined]);
});

it("keeps the caller's key, and reports the key of a call", async () => {
  const { client, sent } = answered(() => accepted());
  const { meta } = await client.send.sms(body, { idempotencyKey: "order 417" }).withResponse();
  expect(keys(sent)).toEqual(["order 417"]);
  expect(meta.idempotencyKey).toBe("order 417");
});

it("keeps a key given as a header", async () => {
  const { client, sent } = answered(() => accepted());
  await client.send.sms(body, { headers: { "Idempotency-Key": "from-header" } });
  await client.raw.POST("/api/v1/messages/sms", { body, params: { header: { "Idempotency-Key": "from-params" } } });
  expect(keys(sent)).toEqual(["from-header", "from-params"]);
});

it("adds a key to the raw client's writes too", async () => {
  const { client, sent } = answered(() => accepted());
  await client.raw.POST("/api/v1/messages/sms", { body });
  expect(keys(sent)[0]).toMatch(/^[0-9a-f-]{36}$/);
});

it("uses the key that a text-to-speech request carries in its body, so that the two agree", async () => {
  const { client, sent } = answered(() => accepted());
  await client.tts.create({ ...call, idempotencyKey: "in-body" });
  expect(keys(sent)).toEqual(["in-body"]);
});

it("is not misled by the same words inside a text", async () => {
  const { client, sent } = answered(() => accepted());
  await client.tts.create({ ...call, messageText: '"idempotencyKey": "x"' });
  expect(keys(sent)[0]).toMatch(/^[0-9a-f-]{36}$/);
});

const unusable = ["", " ", " key", "key ", "\tkey", "ключ", "line\nbreak", "x".repeat(256)];

it.each(unusable)("refuses %o before any request", async (idempotencyKey) => {
  const { client, sent } = answered(() => accepted());
  await expect(client.send.sms(body, { idempotencyKey })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it.each(unusable)("refuses %o in a header and in a body too", async (key) => {
  const { client, sent } = answered(() => accepted());
  const headers = { "Idempotency-Key": key };
  await expect(client.send.sms(body, { headers })).rejects.toThrow(UsageError);
  await expect(client.tts.create({ ...call, idempotencyKey: key })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it.each<[string, unknown]>([
  ["null", null],
  ["NaN", Number.NaN],
  ["417", 417],
  ["false", false],
  ["of type object", { id: 1 }],
  ["of type object", Object.create(null)],
  ["of type object", ["k1"]],
  ["of type function", () => "k1"],
])("refuses a key that is %s before any request, and says what to do", async (said, given) => {
  const { client, sent } = answered(() => Response.json({}));
  const idempotencyKey = given as string;
  const message =
    `The idempotency key is ${said}. It must be text of 1 to 255 printable ASCII characters, without a blank at either ` +
    "end. Give each action its own, such as order-417, or leave it out.";
  await expect(client.send.sms(body, { idempotencyKey })).rejects.toThrow(new UsageError(message));
  await expect(client.request("PUT", "/api/v1/messages/sms", { body }, { idempotencyKey })).rejects.toThrow(message);
  if (JSON.stringify(given) !== undefined)
    await expect(client.tts.create({ ...call, idempotencyKey })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

it.each(["x", "x".repeat(255), "~ !"])("takes %o", (key) => {
  expect(idempotencyKeyOf("POST", key)).toBe(key);
});

const path = "/api/v1/messages/sms";

/** Answers 503 with a Retry-After of 0, and then 200. */
function failingOnce(): () => Response {
  let asked = 0;
  const again = { status: 503, headers: { "retry-after": "0" } };
  return () => accepted(++asked === 1 ? again : { status: 200 });
}

describe("a call by method and path", () => {
  it.each(["post", "Post", "POST"])("with %s is a POST under the caller's key or a new one", async (method) => {
    const { client, sent } = answered(() => accepted());
    const { meta } = await client.request(method, path, { body }, { idempotencyKey: "order 417" }).withResponse();
    await client.request(method, path, { body });
    expect(sent.map((request) => request.method)).toEqual(["POST", "POST"]);
    expect(meta.idempotencyKey).toBe("order 417");
    expect(keys(sent)).toEqual(["order 417", expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it.each(["PUT", "patch", "delete"])(
    "with %s is sent under the caller's key, and retried with the same key",
    async (method) => {
      const { client, sent } = answered(failingOnce(), { maxRetries: 1 });
      const { meta } = await client.request(method, path, { body }, { idempotencyKey: "k1" }).withResponse();
      expect(keys(sent)).toEqual(["k1", "k1"]);
      expect(sent.map((request) => request.method)).toEqual([method.toUpperCase(), method.toUpperCase()]);
      expect(meta).toMatchObject({ idempotencyKey: "k1", attempts: 2 });
    },
  );

  it.each(["PUT", "PATCH", "DELETE"])("with %s and without a key is sent once", async (method) => {
    const { client, sent } = answered(failingOnce(), { maxRetries: 1 });
    await expect(client.request(method, path, { body })).rejects.toMatchObject({ attempts: 1 });
    expect(keys(sent)).toEqual([undefined]);
  });

  it("is retried if its key is in the caller's own header", async () => {
    const { client, sent } = answered(failingOnce(), { maxRetries: 1 });
    await client.request("PUT", path, { body }, { headers: { "Idempotency-Key": "from-header" } });
    expect(keys(sent)).toEqual(["from-header", "from-header"]);
  });

  it("with GET is sent with the caller's key or none, and reports which key was sent", async () => {
    const { client, sent } = answered(() => Response.json([]));
    const read = (options = {}) => client.request("get", "/api/v1/merchants", {}, options).withResponse();
    expect((await read({ idempotencyKey: "k1" })).meta.idempotencyKey).toBe("k1");
    expect((await read()).meta.idempotencyKey).toBeUndefined();
    expect(keys(sent)).toEqual(["k1", undefined]);
  });
});

it("sends the same key in every attempt, even if a hook sets another", async () => {
  let hooked = 0;
  const { client, sent } = answered(failingOnce(), {
    maxRetries: 1,
    hooks: { onRequest: () => ({ "Idempotency-Key": `hook-${++hooked}` }) },
  });
  await client.send.sms(body, { idempotencyKey: "k1" });
  expect(hooked).toBe(2);
  expect(keys(sent)).toEqual(["k1", "k1"]);
});
