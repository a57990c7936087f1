import { expect, it } from "vitest";
import { MessagingClient, UsageError } from "./index.ts";
import { API_KEY, API_SECRET, answered, BASE_URL } from "./testing/answering.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

const unsendable: [string, Record<string, string>, RegExp][] = [
  ["a line break", { "X-Note": "a\r\nx-api-key: other" }, /"X-Note"/],
  ["a NUL", { "x-note": "a\0" }, /"x-note"/],
  ["another control character", { "x-note": "a\x1b[0m" }, /"x-note"/],
  ["a character past U+00FF", { "x-request-id": "заказ-7" }, /"x-request-id"/],
  ["a blank in its name", { "x note": "a" }, /"x note"/],
  ["a line break in its name", { "x-a\r\nx-b": "a" }, /"x-a\\r\\nx-b"/],
  ["no name", { "": "a" }, /""/],
];

it.each(unsendable)("a header with %s is refused by name before anything is sent", async (_, headers, named) => {
  const { client, sent } = answered(() => Response.json([]), { maxRetries: 3 });
  for (const call of [client.merchants.list({ headers }), client.send.sms(sms, { headers })]) {
    const outcome = await call.safe();
    expect(outcome).toMatchObject({ ok: false, error: expect.any(UsageError), meta: { attempts: 0 } });
    if (!outcome.ok) expect(outcome.error.message).toMatch(named);
  }
  await expect(
    client.raw.GET("/api/v1/merchants", { headers }).catch((error: unknown) => error),
  ).resolves.toBeInstanceOf(Error);
  expect(sent).toEqual([]);
});

it.each(unsendable)("a client is not made with a header with %s", (_, headers, named) => {
  const options = { apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL, headers };
  expect(() => new MessagingClient(options)).toThrow(UsageError);
  expect(() => new MessagingClient(options)).toThrow(named);
});

it.each<[string, unknown, string]>([
  ["null", null, "null"],
  ["undefined", undefined, "undefined"],
  ["a number", 7, "of type number"],
  ["NaN", Number.NaN, "of type number"],
  ["an object", { id: 1 }, "of type object"],
])("a header that is %s is refused by name before anything is sent", async (_, value, said) => {
  const { client, sent } = answered(() => Response.json({}));
  for (const name of ["x-note", "Idempotency-Key"]) {
    const headers = { [name]: value as string };
    const message = `The header "${name}" is ${said}. It must be text: convert it, or leave it out.`;
    await expect(client.send.sms(sms, { headers })).rejects.toThrow(new UsageError(message));
    const options = { apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL, headers };
    expect(() => new MessagingClient(options)).toThrow(message);
  }
  expect(sent).toEqual([]);
});

it("the message does not contain the header's value", async () => {
  const { client } = answered(() => Response.json([]));
  const outcome = await client.merchants.list({ headers: { authorization: "Bearer hunter2\n" } }).safe();
  expect(JSON.stringify(outcome)).not.toContain("hunter2");
  expect(String(outcome.ok ? "" : outcome.error.stack)).not.toContain("hunter2");
});

it("a client sends valid headers unchanged, with their names in lower case", async () => {
  const { client, sent } = answered(() => Response.json([]));
  await client.merchants.list({ headers: { "X-Name": "Zoë\t(ü)", "x-empty": "" } });
  expect(sent[0]?.headers).toMatchObject({ "x-name": "Zoë\t(ü)", "x-empty": "" });
});
