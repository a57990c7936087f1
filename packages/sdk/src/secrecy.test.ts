/** No credential is visible in anything that a program gets: its logs, its data, its arguments. */
import { inspect } from "node:util";
import { expect, it, vi } from "vitest";
import * as sdk from "./index.ts";
import { type ClientOptions, CoreClient, type Hooks, MessagingClient, MessagingError, UsageError } from "./index.ts";
import { API_KEY, API_SECRET, answered } from "./testing/answering.ts";
import {
  answers,
  cutsBeforeReply,
  type Manner,
  misbehaving,
  refuses,
  stallsBody,
  stallsHeaders,
} from "./testing/misbehaving.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

/** Representations of a value, by each way of inspection that does not modify the inspected code. */
function appearances(value: unknown): string[] {
  const options = { depth: 10, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null } as const;
  const looks: (() => unknown)[] = [
    () => inspect(value, options),
    () => inspect(value, { ...options, showHidden: false, showProxy: true, customInspect: false }),
    () => JSON.stringify(value),
    () => String(value),
    () => inspect(structuredClone(value), options),
    ...errorsIn(value).flatMap((error) => [() => error.stack, () => error.message, () => JSON.stringify({ ...error })]),
  ];
  return looks.map((look) => {
    try {
      return String(look());
    } catch (error) {
      // If a value cannot be cloned or written, the error quotes it.
      return inspect(error, options);
    }
  });
}

/** The error and its causes. */
function errorsIn(value: unknown): Error[] {
  return value instanceof Error ? [value, ...errorsIn(value.cause)] : [];
}

function expectSecret(value: unknown): void {
  for (const text of appearances(value)) {
    expect(text).not.toContain(API_SECRET);
    expect(text).not.toContain(API_KEY);
  }
}

/** A client of a server that answers like this, and the events of its hooks. */
async function watched(manner: Manner, options: ClientOptions = {}) {
  const { origin, arrived } = await misbehaving(manner);
  const told: object[] = [];
  const note = (event: object) => void told.push(event);
  const hooks: Hooks = { onRequest: note, onResponse: note, onRetry: note, onError: note };
  vi.spyOn(Math, "random").mockReturnValue(0);
  const credentials = { apiKey: API_KEY, apiSecret: API_SECRET };
  return { client: new MessagingClient({ ...credentials, baseUrl: origin, hooks, ...options }), told, arrived, origin };
}

it("the search finds a credential in each kind of value", () => {
  const cause = Object.assign(new Error("inner"), { config: [new Map([["headers", { key: API_SECRET }]])] });
  for (const leak of [
    { a: { b: { c: [API_KEY] } } },
    new Error(`sent ${API_SECRET}`),
    new MessagingError("outer", {}, cause),
    Promise.resolve({ secret: API_SECRET }),
    Object.defineProperty({}, "hidden", { value: API_SECRET, enumerable: false }),
    Object.defineProperty({}, "got", { get: () => API_SECRET }),
    { toJSON: () => API_SECRET },
  ])
    expect(() => expectSecret(leak)).toThrow();
});

it("no credential is in a client or its parts", async () => {
  const { client } = await watched(answers(200, []));
  class Derived extends MessagingClient {}
  const options = { apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: "https://api.example.test" };
  for (const made of [client, new CoreClient(options), new Derived(options)]) {
    expectSecret(made);
    if ("raw" in made) expectSecret(made.raw);
    expectSecret({ ...made });
    for (const part of Object.values(made)) expectSecret(part);
  }
  // A used client does not contain it either.
  await client.merchants.list();
  expectSecret(client);
});

it("no credential is in a call, in progress or finished, or in its outcome", async () => {
  const { client, arrived, told } = await watched(answers(200, { messageId: "msg_1" }));
  const call = client.send.sms(sms);
  expectSecret(call);
  await call;
  expectSecret(call);
  expectSecret(await call.safe());
  expectSecret(await call.withResponse());
  expectSecret(told);
  expect(told.length).toBeGreaterThan(1);
  // The credential was sent, so there was something to hide.
  expect(arrived[0]?.headers).toMatchObject({ "x-api-key": API_KEY, "x-api-secret": API_SECRET });
});

/** Replies with the request's headers, as an echo service does. */
const echoes: Manner = ({ request, response }) => response.end(JSON.stringify(request.headers));

const endings: [string, Manner, string][] = [
  ["a fault in the request", refuses(400, "validation_error"), "ValidationError"],
  ["an unknown credential", refuses(401, "credentials_invalid"), "AuthenticationError"],
  ["an exhausted quota", refuses(402, "quota_exceeded"), "QuotaExceededError"],
  ["a missing permission", refuses(403, "merchant_inactive"), "PermissionError"],
  ["a missing resource", refuses(404, "merchant_not_found"), "NotFoundError"],
  ["a state that forbids it", refuses(409, "illegal_transition"), "ConflictError"],
  ["no consent", refuses(422, "consent_required"), "ConsentError"],
  ["a reused idempotency key", refuses(422, "idempotency_key_reused"), "IdempotencyError"],
  ["too many requests", refuses(429, "rate_limited"), "RateLimitError"],
  ["the service's own failure", refuses(500, "internal_error"), "ServerError"],
  ["a proxy's page", answers(502, "<h1>Bad gateway</h1>", { "content-type": "text/html" }), "ServerError"],
  ["a redirect", answers(307, "", { location: "http://127.0.0.1:9/" }), "ApiError"],
  ["a cut connection", cutsBeforeReply, "ConnectionError"],
  ["truncated JSON", answers(200, '{"a'), "UnexpectedReplyError"],
  ["an echo of the request", echoes, "UnexpectedReplyError"],
  [
    "an integer that a JavaScript number would round",
    answers(200, '{"messageId":"msg_1","n":9007199254740993}'),
    "UnsafeIntegerError",
  ],
  ["a body over the size limit", answers(200, { note: "x".repeat(2_000) }), "ReplyTooLargeError"],
  ["stalled headers", stallsHeaders, "TimeoutError"],
  ["a stalled body", stallsBody(), "TimeoutError"],
];

it.each(endings)(
  "no credential is in the error, outcome or events of a call that ends with %s",
  async (_, manner, name) => {
    const { client, told, arrived } = await watched(manner, {
      timeoutMs: name === "TimeoutError" ? 100 : 20_000,
      maxRetries: 1,
      maxReplyBytes: 1_000,
    });
    const call = client.send.sms(sms);
    const outcome = await call.safe();
    if (outcome.ok) throw new Error("The call succeeded.");
    expect(outcome.error.constructor.name).toBe(name);
    for (const shown of [outcome.error, outcome, call, told, client]) expectSecret(shown);
    expect(arrived[0]?.headers).toMatchObject({ "x-api-secret": API_SECRET });
  },
);

it("no credential is in the error of an aborted call, whatever its signal's reason", async () => {
  const { client, told } = await watched(stallsHeaders);
  for (const signal of [AbortSignal.abort(), AbortSignal.timeout(50)]) {
    const outcome = await client.send.sms(sms, { signal }).safe();
    expect(outcome).toMatchObject({ ok: false, error: { name: "AbortedError" } });
    expectSecret(outcome);
  }
  expectSecret(told);
});

it.each<[string, (client: MessagingClient) => PromiseLike<unknown>]>([
  ["a header that HTTP cannot carry", (client) => client.send.sms(sms, { headers: { "x-note": "a\nb" } })],
  ["a header's name that HTTP cannot carry", (client) => client.send.sms(sms, { headers: { "x note": "a" } })],
  ["a path value", (client) => client.merchants.get("..")],
  ["a key", (client) => client.send.sms(sms, { idempotencyKey: "" })],
  [
    "a body",
    (client) =>
      client.request("POST", "/api/v1/x", {
        body: {
          toJSON: () => {
            throw new Error("no");
          },
        },
      }),
  ],
  ["an address", (client) => client.request("GET", "@elsewhere.test/")],
  ["a bound", (client) => client.merchants.list({ timeoutMs: -1 })],
])("no credential is in the error for %s that cannot be sent", async (_, use) => {
  const { client, told } = await watched(answers(200, {}), { maxRetries: 0 });
  const error = await Promise.resolve(use(client)).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(MessagingError);
  expectSecret(error);
  expectSecret(told);
});

it.each([
  ["apiKey", "apiSecret"],
  ["apiSecret", "apiKey"],
] as const)("no credential is in the error for an %s that no header can carry", (broken, whole) => {
  const options = { [broken]: `${API_SECRET}\n`, [whole]: API_KEY, baseUrl: "https://api.example.test" };
  let error: unknown;
  try {
    new MessagingClient(options);
  } catch (cause) {
    error = cause;
  }
  expect(error).toBeInstanceOf(UsageError);
  expectSecret(error);
});

it("no password of a base URL is in the error that refuses the URL", () => {
  const baseUrl = `https://user:${API_SECRET}@api.example.test`;
  let error: unknown;
  try {
    new MessagingClient({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl });
  } catch (cause) {
    error = cause;
  }
  expect(error).toBeInstanceOf(UsageError);
  expectSecret(error);
});

it("the tests above search every class of error for credentials", () => {
  const classes = Object.values(sdk)
    .filter((made) => typeof made === "function")
    .filter(({ prototype }) => prototype instanceof Error);
  const elsewhere = ["MessagingError", "UsageError", "AbortedError"];
  const looked = new Set([...elsewhere, ...endings.map(([, , name]) => name)]);
  expect(classes.map(({ name }) => name).filter((name) => !looked.has(name))).toEqual([]);
});

it("the caller's own fetch gets the credential, but the outcome of the call does not contain it", async () => {
  const { client, sent } = answered(() => {
    throw new TypeError("fetch failed");
  });
  const outcome = await client.send.sms(sms).safe();
  expect(sent[0]?.headers).toMatchObject({ "x-api-secret": API_SECRET });
  expectSecret(outcome);
});
