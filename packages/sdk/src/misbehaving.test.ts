/** The client on the platform's own fetch, against a server that misbehaves. */
import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  AbortedError,
  type ApiCall,
  type ClientOptions,
  ConnectionError,
  type DispatchResponse,
  type Fetch,
  type Hooks,
  type MerchantView,
  MessagingClient,
  type MessagingError,
  type RetryEvent,
  ServerError,
  TimeoutError,
  type WriteOptions,
} from "./index.ts";
import { API_KEY, API_SECRET } from "./testing/answering.ts";
import {
  answers,
  answersAndHangsUp,
  cutsAtOnce,
  cutsBeforeReply,
  cutsBody,
  drips,
  gzips,
  type Manner,
  misbehaving,
  refuses,
  resetsBeforeReply,
  stallsBody,
  stallsHeaders,
  writes,
} from "./testing/misbehaving.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello, wörld", type: "OTP" } as const;
/** Identifies a merchant and a message. */
const merchant = { merchantId: "m1", messageId: "msg_1", name: "Bright Dental" };

/** A read and a write. Both are answered with `merchant`. */
const calls = {
  GET: (client: MessagingClient, options?: WriteOptions): ApiCall<MerchantView | DispatchResponse> =>
    client.merchants.get("m1", options),
  POST: (client: MessagingClient, options?: WriteOptions): ApiCall<MerchantView | DispatchResponse> =>
    client.send.sms(sms, options),
};
const methods = ["GET", "POST"] as const;

const controllers: AbortController[] = [];
const timers = new Set<unknown>();
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

/** A signal whose listeners are counted at the end of the test. */
function controlled(): AbortController {
  const controller = new AbortController();
  controllers.push(controller);
  return controller;
}

function clientOf(baseUrl: string, options: ClientOptions = {}): MessagingClient {
  return new MessagingClient({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl, ...options });
}

async function errorOf(call: ApiCall<unknown>): Promise<MessagingError> {
  const outcome = await call.safe();
  if (outcome.ok) throw new Error("The call succeeded.");
  return outcome.error;
}

beforeEach(() => {
  // The pauses of the back-off are random, from 0 up.
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: (...given: unknown[]) => void, ...rest: [number]) => {
    // Node's fetch also sets timers.
    if (/node:internal\/deps/.test(new Error().stack ?? "")) return set(act, ...rest);
    const timer = set(
      () => {
        timers.delete(timer);
        act();
      },
      ...rest,
    );
    timers.add(timer);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    timers.delete(timer);
    clear(timer as NodeJS.Timeout);
  });
  process.on("unhandledRejection", onUnhandled);
});

afterEach(async () => {
  await nextTurn();
  await nextTurn();
  process.off("unhandledRejection", onUnhandled);
  vi.restoreAllMocks();
  vi.useRealTimers();
  const left = {
    timers: timers.size,
    listeners: controllers.flatMap(({ signal }) => getEventListeners(signal, "abort")).length,
    unhandled: unhandled.splice(0),
  };
  timers.clear();
  controllers.length = 0;
  expect(left).toEqual({ timers: 0, listeners: 0, unhandled: [] });
});

describe.each(methods)("%s is sent again", (method) => {
  const passing: [string, Manner][] = [
    ["503", refuses(503, "any", { "x-request-id": "r" })],
    ["409 idempotency_in_progress", refuses(409, "idempotency_in_progress")],
    ["a proxy's page", answers(502, "<h1>Bad gateway</h1>", { "content-type": "text/html" })],
    ["a connection cut at once", cutsAtOnce],
    ["a connection cut after the request", cutsBeforeReply],
    ["a connection reset after the request", resetsBeforeReply],
    ["a connection cut within a body of known length", cutsBody("told")],
    ["a connection cut within a chunked body", cutsBody("chunked")],
    ["a reply that is not HTTP", writes("SSH-2.0-OpenSSH_9.9\r\n")],
    ["headers that are far too long", writes(`HTTP/1.1 200 OK\r\nx-huge: ${"x".repeat(100_000)}\r\n\r\n[]`)],
    ["headers cut in the middle", writes("HTTP/1.1 200 OK\r\ncontent-ty")],
  ];

  it.each(passing)("after %s", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner, manner, answers(200, merchant));
    const { data, meta } = await calls[method](clientOf(origin), { signal: controlled().signal }).withResponse();
    expect(data).toEqual(merchant);
    expect(meta).toMatchObject({ status: 200, attempts: 3 });
    expect(arrived.map((request) => request.method)).toEqual([method, method, method]);
    const keys = arrived.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(Array(3).fill(meta.idempotencyKey));
    expect(typeof keys[0]).toBe(method === "POST" ? "string" : "undefined");
    const body = Buffer.from(method === "POST" ? JSON.stringify(sms) : "");
    for (const request of arrived.slice(manner === cutsAtOnce ? 2 : 0)) expect(request.body).toEqual(body);
  });

  it.each(passing)("and fails after its last retry with %s", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner);
    const error = await errorOf(calls[method](clientOf(origin, { maxRetries: 1 }), { signal: controlled().signal }));
    expect(error.attempts).toBe(2);
    expect(arrived).toHaveLength(2);
  });

  it.each([
    ["HTML", answers(200, "<h1>mks_page</h1>", { "content-type": "text/html" })],
    ["truncated JSON", answers(200, '{"secret":"mks_page","b')],
    ["an empty body", answers(200, "")],
    ["an empty body with a Content-Length", answers(200, "", { "content-length": "0" })],
    ["text after its JSON", answers(200, '{"a":"mks_page"}}')],
    ["a compressed body without its end", gzips(merchant, 20)],
    ["another service's JSON", answers(200, { status: "maintenance" })],
    ["no content", answers(204, "")],
  ])("after a success with %s, and no error message contains its secrets", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner, answers(200, merchant));
    const client = clientOf(origin);
    const error = await errorOf(calls[method](client, { maxRetries: 0 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.stack).not.toContain("mks_page");
    const again = await misbehaving(manner, answers(200, merchant));
    const { data, meta } = await calls[method](clientOf(again.origin), { signal: controlled().signal }).withResponse();
    expect(data).toEqual(merchant);
    expect(meta.attempts).toBe(2);
    const keys = again.arrived.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([meta.idempotencyKey, meta.idempotencyKey]);
    expect(arrived).toHaveLength(1);
  });

  it("under the caller's own key", async () => {
    const { origin, arrived } = await misbehaving(cutsBeforeReply, answers(200, merchant));
    await calls[method](clientOf(origin), { headers: { "Idempotency-Key": "mine" } });
    expect(arrived.map(({ headers }) => headers["idempotency-key"])).toEqual(["mine", "mine"]);
  });

  it("not at all if maxRetries is 0", async () => {
    const { origin, arrived } = await misbehaving(cutsBeforeReply);
    const error = await errorOf(calls[method](clientOf(origin), { maxRetries: 0 }));
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 1 });
    expect(arrived).toHaveLength(1);
  });
});

it.each(methods)("%s is not retried after a permanent failure", async (method) => {
  const { origin, arrived } = await misbehaving(refuses(409, "illegal_transition"), answers(200, merchant));
  const error = await errorOf(calls[method](clientOf(origin), { signal: controlled().signal }));
  expect(error).toMatchObject({ name: "ConflictError", code: "illegal_transition", attempts: 1 });
  expect(arrived).toHaveLength(1);
});

describe("redirects are not followed", () => {
  const table = methods.flatMap((method) => [301, 302, 303, 307, 308].map((status) => [method, status] as const));

  it.each(table)("%s %i to itself", async (method, status) => {
    const { origin, arrived } = await misbehaving(answers(status, "", { location: "/api/v1/merchants/m1" }));
    const error = await errorOf(calls[method](clientOf(origin), { signal: controlled().signal }));
    expect(error).toMatchObject({ name: "ApiError", status });
    expect(arrived).toHaveLength(1);
  });
});

describe("the pause that a reply asks for", () => {
  const now = Date.UTC(2026, 0, 1);
  /** Half of the random part, as drawn below. */
  const spread = (askedMs: number) => askedMs + Math.min(askedMs, 1_000) / 2;
  const BY_CHANCE_MS = 250;

  it.each<[Record<string, string | string[]>, number]>([
    [{ "retry-after": "2" }, spread(2_000)],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, spread(30_000)],
    [{ "retry-after-ms": "150" }, spread(150)],
    [{ "retry-after": ["1", "2"] }, BY_CHANCE_MS],
    [{}, BY_CHANCE_MS],
  ])("is read from %j", async (headers, delayMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now });
    vi.mocked(Math.random).mockReturnValue(0.5);
    const controller = controlled();
    const retries: RetryEvent[] = [];
    const onRetry = (event: RetryEvent) => {
      retries.push(event);
      setImmediate(() => controller.abort());
    };
    const { origin } = await misbehaving(refuses(429, "rate_limited", headers), stallsHeaders);
    const call = calls.POST(clientOf(origin, { hooks: { onRetry } }), { signal: controller.signal });
    await expect(call).rejects.toThrow(AbortedError);
    expect(retries).toMatchObject([{ delayMs, status: 429, attempt: 1 }]);
  });

  it.each<[Record<string, string>, number]>([
    [{ "retry-after": "61" }, 61_000],
    [{ "retry-after": "9".repeat(400) }, Number.POSITIVE_INFINITY],
  ])("%j is too long: the call ends", async (headers, retryAfterMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now });
    const { origin, arrived } = await misbehaving(refuses(429, "rate_limited", headers), answers(200, merchant));
    const error = await errorOf(calls.POST(clientOf(origin), { signal: controlled().signal }));
    expect(error).toMatchObject({ name: "RateLimitError", retryAfterMs, attempts: 1 });
    expect(arrived).toHaveLength(1);
  });

  it("is observed before the next request", async () => {
    const { origin, arrived } = await misbehaving(
      refuses(503, "unavailable", { "retry-after-ms": "30" }),
      answers(200, merchant),
    );
    await calls.POST(clientOf(origin));
    expect(vi.mocked(setTimeout).mock.calls.filter(([, ms]) => ms === 30)).toHaveLength(1);
    expect(arrived).toHaveLength(2);
  });

  it("is not begun if the whole call has less time left", async () => {
    const { origin, arrived } = await misbehaving(refuses(503, "unavailable", { "retry-after": "20" }));
    const error = await errorOf(calls.POST(clientOf(origin), { totalTimeoutMs: 15_000 }));
    expect(error).toBeInstanceOf(ServerError);
    expect(arrived).toHaveLength(1);
  });
});

describe.each(methods)("a time limit ends %s", (method) => {
  const stalls: [string, Manner][] = [
    ["no headers come", stallsHeaders],
    ["the body stalls", stallsBody()],
  ];

  it.each(stalls)("in each attempt if %s for timeoutMs", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner, manner, answers(200, merchant));
    // on a busy machine even the third answer may come too late, and the call is retried again
    const options = { timeoutMs: 400, maxRetries: 50, signal: controlled().signal };
    expect(await calls[method](clientOf(origin), options)).toEqual(merchant);
    expect(arrived.length).toBeGreaterThanOrEqual(3);
    // A stalled request is released, not left open behind the caller's back.
    await arrived[0]?.disconnected;
    await arrived[1]?.disconnected;
  });

  it.each(stalls)("after its last retry when %s in every attempt", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner);
    const options = { timeoutMs: 50, maxRetries: 2, signal: controlled().signal };
    const error = await errorOf(calls[method](clientOf(origin), options));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 3, message: expect.stringContaining("50 ms") });
    expect(arrived.length).toBeLessThanOrEqual(3);
    await Promise.all(arrived.map(({ disconnected }) => disconnected));
  });

  it.each(stalls)("by totalTimeoutMs over all attempts when %s", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner);
    const options = { timeoutMs: 60, totalTimeoutMs: 150, maxRetries: 1_000, signal: controlled().signal };
    const error = await errorOf(calls[method](clientOf(origin), options));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.attempts).toBeLessThanOrEqual(3);
    await Promise.all(arrived.map(({ disconnected }) => disconnected));
    // no request was sent after the end
    expect(arrived.length).toBeLessThanOrEqual(error.attempts ?? 0);
  });

  it("by totalTimeoutMs alone", async () => {
    const { origin, arrived } = await misbehaving(stallsHeaders);
    const error = await errorOf(
      calls[method](clientOf(origin), { totalTimeoutMs: 50, timeoutMs: Number.POSITIVE_INFINITY }),
    );
    expect(error).toBeInstanceOf(TimeoutError);
    await arrived[0]?.disconnected;
  });

  it("by totalTimeoutMs when transient failures never end", async () => {
    const { origin } = await misbehaving(refuses(503, "unavailable", { "retry-after-ms": "5" }));
    const options = { totalTimeoutMs: 2_000, maxRetries: 100_000, signal: controlled().signal };
    const error = await errorOf(calls[method](clientOf(origin), options));
    expect(error.attempts).toBeGreaterThan(1);
  });

  it("but not while a slow body stays within the time", async () => {
    const { origin } = await misbehaving(drips(JSON.stringify(merchant)));
    expect(await calls[method](clientOf(origin), { timeoutMs: 20_000, signal: controlled().signal })).toEqual(merchant);
  });

  it("when a body trickles in without an end", async () => {
    const endless: Manner = ({ response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = () => response.destroyed || response.write(" ", () => setImmediate(drip));
      drip();
    };
    const { origin, arrived } = await misbehaving(endless);
    const error = await errorOf(calls[method](clientOf(origin), { timeoutMs: 50, maxRetries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
    await arrived[0]?.disconnected;
  });
});

describe.each(methods)("the caller's signal ends %s", (method) => {
  const reason = new Error("changed my mind");

  async function expectAborted(call: ApiCall<unknown>, attempts: number) {
    const error = await errorOf(call);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, attempts });
  }

  it("before it is sent", async () => {
    const { origin, arrived } = await misbehaving(answers(200, merchant));
    const controller = controlled();
    controller.abort(reason);
    await expectAborted(calls[method](clientOf(origin), { signal: controller.signal }), 0);
    expect(arrived).toEqual([]);
  });

  it("in the turn that began it", async () => {
    const { origin } = await misbehaving(answers(200, merchant));
    const controller = controlled();
    const call = calls[method](clientOf(origin), { signal: controller.signal });
    controller.abort(reason);
    await expectAborted(call, 1);
  });

  it("before the reply", async () => {
    const controller = controlled();
    const { origin, arrived } = await misbehaving(({ taken }) => taken.then(() => controller.abort(reason)));
    await expectAborted(calls[method](clientOf(origin), { signal: controller.signal }), 1);
    await arrived[0]?.disconnected;
    expect(arrived).toHaveLength(1);
  });

  it("while the body is received", async () => {
    const controller = controlled();
    const { origin, arrived } = await misbehaving(stallsBody(() => controller.abort(reason)));
    await expectAborted(calls[method](clientOf(origin), { signal: controller.signal }), 1);
    await arrived[0]?.disconnected;
    expect(arrived).toHaveLength(1);
  });

  // A pause of a minute, too long for a test.
  const aMinute = refuses(503, "unavailable", { "retry-after": "60" });

  it.each<[string, (abort: () => void) => void]>([
    ["", (abort) => setImmediate(abort)],
    [", in the turn that began the pause", (abort) => queueMicrotask(abort)],
    [", when the hook for the pause aborts it", (abort) => abort()],
  ])("during a pause%s", async (_, schedule) => {
    const controller = controlled();
    const hooks: Hooks = { onRetry: () => schedule(() => controller.abort(reason)) };
    const { origin, arrived } = await misbehaving(aMinute, answers(200, merchant));
    await expectAborted(calls[method](clientOf(origin, { hooks }), { signal: controller.signal }), 1);
    expect(arrived).toHaveLength(1);
  });

  it("when the hook for the request aborts it", async () => {
    const controller = controlled();
    const hooks: Hooks = { onRequest: () => controller.abort(reason) };
    const { origin } = await misbehaving(stallsHeaders);
    const call = calls[method](clientOf(origin, { hooks }), {
      signal: controller.signal,
      timeoutMs: 5_000,
      maxRetries: 0,
    });
    expect(await errorOf(call)).toBeInstanceOf(AbortedError);
  });

  it("when the hook for a failed reply aborts it", async () => {
    const controller = controlled();
    const hooks: Hooks = { onResponse: () => controller.abort(reason) };
    const { origin, arrived } = await misbehaving(aMinute, answers(200, merchant));
    await errorOf(calls[method](clientOf(origin, { hooks }), { signal: controller.signal }));
    expect(arrived).toHaveLength(1);
  });

  it("even if fetch receives the signal late", async () => {
    const controller = controlled();
    const { origin, arrived } = await misbehaving(answers(200, merchant));
    let sending: Promise<Response> | undefined;
    const late: Fetch = (url, init) => {
      sending = nextTurn().then(() => fetch(url, init));
      return sending;
    };
    const call = calls[method](clientOf(origin, { fetch: late }), { signal: controller.signal });
    queueMicrotask(() => controller.abort(reason));
    await expectAborted(call, 1);
    await expect(sending).rejects.toThrow();
    expect(arrived).toEqual([]);
  });

  it("but not after its reply has arrived", async () => {
    const { origin } = await misbehaving(answers(200, merchant));
    const controller = controlled();
    const call = calls[method](clientOf(origin), { signal: controller.signal });
    expect(await call).toEqual(merchant);
    controller.abort(reason);
    expect(await call.safe()).toMatchObject({ ok: true });
  });

  it("and leaves no listener after many calls under one signal", async () => {
    const { origin } = await misbehaving(refuses(503, "unavailable"), answers(200, merchant));
    const client = clientOf(origin);
    const { signal } = controlled();
    for (let call = 0; call < 20; call++) await calls[method](client, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("odd but readable replies", () => {
  const json = JSON.stringify(merchant);

  it.each<[string, Manner]>([
    ["a byte order mark", answers(200, `\ufeff${json}`)],
    ["HTTP/1.0 without a length", writes(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${json}`)],
    ["neither length nor chunks", writes(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${json}`)],
    ["no content type", writes(`HTTP/1.1 200 OK\r\ncontent-length: ${json.length}\r\n\r\n${json}`)],
    ["bytes beyond its length", writes(`HTTP/1.1 200 OK\r\ncontent-length: ${json.length}\r\n\r\n${json}garbage`)],
    [
      "an early hint",
      writes(
        `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
      ),
    ],
    ["a compressed body", gzips(merchant)],
    ["long headers", answers(200, merchant, { "x-long": "x".repeat(12_000) })],
    ["single bytes with pauses", drips(json)],
    ["another success status", answers(207, merchant)],
    ["blanks around the JSON", answers(200, `\r\n\t ${json}\n\n`)],
  ])("are read: %s", async (_, manner) => {
    const { origin, arrived } = await misbehaving(manner);
    expect(await calls.POST(clientOf(origin), { signal: controlled().signal })).toEqual(merchant);
    expect(arrived).toHaveLength(1);
  });

  it("bytes that are not UTF-8 become the replacement character", async () => {
    const broken = Buffer.concat([
      Buffer.from('{"merchantId":"m1","name":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('z"}'),
    ]);
    const { origin } = await misbehaving(answers(200, broken));
    expect(await calls.GET(clientOf(origin))).toEqual({ merchantId: "m1", name: "a\ufffd\ufffdz" });
  });

  it("a 204 has no data", async () => {
    const { origin } = await misbehaving(({ response }) => response.writeHead(204).end());
    const presence = { sipUsername: "u1", registered: true };
    expect(await clientOf(origin).provisioning.presence(presence)).toBeUndefined();
  });

  it("a non-ASCII text is sent as UTF-8", async () => {
    const { origin, arrived } = await misbehaving(answers(200, merchant));
    await calls.POST(clientOf(origin));
    expect(arrived[0]?.body.toString()).toBe(JSON.stringify(sms));
  });
});

describe("whole numbers", () => {
  it("beyond 2^53 are exact in both directions", async () => {
    const { origin, arrived } = await misbehaving(
      answers(200, '{"batchId":9007199254740993,"n":[-9223372036854775808,7]}'),
    );
    const body = { batchId: 9223372036854775807n, n: [1n, 2] };
    const reply = await clientOf(origin).request("POST", "/api/v1/anything", { body }, { exactIntegers: true });
    expect(reply).toEqual({ batchId: 9007199254740993n, n: [-9223372036854775808n, 7] });
    expect(arrived[0]?.body.toString()).toBe('{"batchId":9223372036854775807,"n":[1,2]}');
  });

  it("stay exact in a retry", async () => {
    const { origin, arrived } = await misbehaving(cutsBeforeReply, refuses(503, "unavailable"), answers(200, "{}"));
    await clientOf(origin).request("POST", "/api/v1/anything", { body: { n: 2n ** 53n + 1n } });
    expect(arrived.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"n":9007199254740993}'));
  });
});

describe.each(methods)("%s on a kept-alive connection", (method) => {
  it("succeeds if the server closes the connection between two calls", async () => {
    const { origin, arrived } = await misbehaving(answersAndHangsUp(merchant));
    const client = clientOf(origin);
    for (let call = 0; call < 5; call++)
      expect(await calls[method](client, { signal: controlled().signal })).toEqual(merchant);
    expect(arrived.length).toBeGreaterThanOrEqual(5);
  });

  it("is retried if the server closes the connection when the call arrives", async () => {
    const { origin, arrived } = await misbehaving(answers(200, merchant), cutsAtOnce, answers(200, merchant));
    const client = clientOf(origin);
    await calls[method](client);
    const { meta } = await calls[method](client, { signal: controlled().signal }).withResponse();
    expect(meta.attempts).toBe(2);
    expect(arrived[1]?.headers["idempotency-key"]).toBe(arrived[2]?.headers["idempotency-key"]);
    expect(arrived[0]?.headers["idempotency-key"] === meta.idempotencyKey).toBe(method === "GET");
  });
});
