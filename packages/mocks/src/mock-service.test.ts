import { createHmac } from "node:crypto";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createMockService,
  type MockCallback,
  type MockMessage,
  type MockService,
  type MockServiceOptions,
  MockUsageError,
} from "./index.ts";
import { call, sms } from "./testing/requests.ts";

const hourMs = 3_600_000;

const opened: MockService[] = [];
async function open(options?: MockServiceOptions): Promise<MockService> {
  const service = await createMockService(options);
  opened.push(service);
  return service;
}

let service: MockService;
let warn: ReturnType<typeof vi.spyOn>;
beforeAll(async () => {
  service = await createMockService();
});
afterAll(() => service.close());
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.reset();
  for (const other of opened.splice(0)) await other.close();
});

type Ask = Pick<MockService, "fetch" | "baseUrl" | "apiKey" | "apiSecret">;

/** The status and body of the answer. */
async function ask(
  method: string,
  path: string,
  {
    body,
    of = service,
    via = of.fetch,
    headers = {},
  }: { body?: unknown; of?: Ask; via?: Ask["fetch"]; headers?: object } = {},
) {
  const response = await via(`${of.baseUrl}/api/v1/${path}`, {
    method,
    headers: {
      "x-api-key": of.apiKey,
      "x-api-secret": of.apiSecret,
      "content-type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const printed = () => warn.mock.calls.map(([line]: unknown[]) => String(line));

describe("fetch", () => {
  it("reaches the whole service: consent, quota and idempotency included", async () => {
    const sent = await ask("POST", "messages/sms", { body: sms, headers: { "idempotency-key": "k1" } });
    const again = await ask("POST", "messages/sms", { body: sms, headers: { "idempotency-key": "k1" } });
    expect(sent).toMatchObject({ status: 200, body: { messageId: expect.any(String) } });
    expect(again.body.messageId).toBe(sent.body.messageId);
    const refused = await ask("POST", "messages/sms", { body: { ...sms, to: "+13125550100" } });
    expect(refused.body.code).toBe("consent_opted_out");
    expect(await service.messages()).toHaveLength(1);
  });

  it("lists messages and callbacks with the fields of their types", async () => {
    const text = expect.any(String);
    await ask("POST", "messages/sms", { body: sms });
    await ask("POST", "voice/tts-calls", { body: call });
    await service.clock.advance("1h");
    const message: { [Field in keyof MockMessage]: unknown } = {
      ...{ messageId: text, merchantId: "demo", channel: "SMS", type: sms.type, to: sms.to, content: text },
      ...{ status: "DELIVERED", deliveryReason: null, attempts: 1, providerSends: 1, createdAt: text, updatedAt: text },
    };
    const callback: { [Field in keyof MockCallback]: unknown } = {
      ...{ id: text, type: expect.stringMatching(/^voice\./), url: call.callbackUrl, status: "DELIVERED", attempts: 1 },
      ...{ nextAttemptAt: null, lastOutcome: "204", body: expect.any(Object) },
    };
    const [sent] = await service.messages({ channel: "SMS" });
    expect(sent).toEqual({ tenantId: text, ...message });
    const [posted] = await service.callbacks();
    expect(posted).toEqual(callback);
  });

  it("takes a Request, a stream and a URL", async () => {
    const url = `${service.baseUrl}/api/v1/merchants`;
    const headers = { "x-api-key": service.apiKey, "x-api-secret": service.apiSecret };
    expect(await (await service.fetch(new Request(url, { headers }))).json()).toHaveLength(2);
    expect((await service.fetch(new URL(url), { headers })).status).toBe(200);
    const body = new Blob([JSON.stringify({ merchantId: "m1", displayName: "M" })]).stream();
    const json = { ...headers, "content-type": "application/json" };
    expect((await service.fetch(url, { method: "POST", headers: json, body })).status).toBe(200);
  });

  it("rejects a request that is not to the service", async () => {
    await expect(service.fetch("https://other.example/")).rejects.toThrow(
      "answers requests to https://api.msgctl.example, the service's baseUrl; received https://other.example",
    );
    await expect(service.fetch("/api/v1/merchants")).rejects.toThrow('absolute URLs; received "/api/v1/merchants"');
    const used = new Request(`${service.baseUrl}/api/v1/merchants`, { method: "POST", body: "{}" });
    await used.text();
    await expect(service.fetch(used)).rejects.toThrow("whose body nobody has read yet");
  });

  it("rejects when its signal is aborted", async () => {
    service.delay(60_000);
    const abort = new AbortController();
    const asked = service.fetch(`${service.baseUrl}/api/v1/merchants`, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  it("rejects once the service is closed", async () => {
    const closed = await open();
    await closed[Symbol.asyncDispose]();
    await closed.close();
    const refused = expect(ask("GET", "merchants", { of: closed })).rejects;
    await refused.toThrow("The mock service is closed");
    await refused.toThrow(MockUsageError);
    // the SDK does not retry after an error of this name
    await refused.toMatchObject({ name: "AbortError" });
  });
});

describe("the handlers", () => {
  it("answer requests that the program makes with the global fetch, and report requests that they cannot answer", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const server = setupServer(...service.handlers);
    server.listen({ onUnhandledRequest: service.onUnhandledRequest });
    try {
      expect((await ask("POST", "messages/sms", { body: sms, via: fetch })).status).toBe(200);
      const missed = await ask("POST", "message/sms", { body: sms, via: fetch });
      expect([missed.status, missed.body.code]).toEqual([404, "route_not_found"]);
      const elsewhere = "https://api.live.example/api/v1/messages/sms?to=secret";
      await expect(fetch(elsewhere, { method: "POST" })).rejects.toThrow();
    } finally {
      server.close();
    }
    expect(printed()).toEqual([
      expect.stringMatching(
        /^@msgctl\/mocks: POST \/api\/v1\/message\/sms was refused with 404 route_not_found: .* Did you mean sendSms \(POST \/api\/v1\/messages\/sms\)\? Operations: upsertMerchant, /,
      ),
    ]);
    expect(error.mock.calls[0]).toEqual([
      "@msgctl/mocks: nothing answers POST https://api.live.example/api/v1/messages/sms. It is sendSms (POST /api/v1/messages/sms) at another address: have the client use https://api.msgctl.example, the service's baseUrl.",
    ]);
  });
});

describe("a mistake", () => {
  it.each<[what: string, body: unknown, headers: object, line: RegExp]>([
    ["an unknown field", { ...sms, recipient: "x" }, {}, /at \/recipient: Not a field .* Its fields are .*\bto\b/],
    ["an invalid value", { ...sms, to: "123" }, {}, /400 \w+ at \/to: Expected .*; received "123"/],
    ["a missing field", { ...sms, message: undefined }, {}, /at \/message: Required, and missing/],
    ["a missing header", sms, { "x-api-secret": "" }, /401 credentials_missing: The request has no X-API-SECRET/],
    ["another media type", sms, { "content-type": "text/plain" }, /415 unsupported_media_type: .*application\/json/],
  ])("is reported: %s", async (_what, body, headers, line) => {
    await ask("POST", "messages/sms", { body, headers });
    expect(printed()).toEqual([expect.stringMatching(line)]);
    expect(printed()[0]).toMatch(/^@msgctl\/mocks: sendSms \(POST \/api\/v1\/messages\/sms\) was refused with /);
  });

  it.each([
    ["an unknown method", "merchants", "BREW", /: BREW .* 400 malformed_http: .* Did you mean upsertMerchant /],
    [
      "a path that is too long",
      `merchants/${"x".repeat(20_000)}`,
      "GET",
      / 431 headers_too_large: The path, the query and the headers /,
    ],
  ])("is reported before the router reads the request: %s", async (_what, path, method, line) => {
    await ask(method, path);
    expect(printed()).toEqual([expect.stringMatching(line)]);
  });

  it("has a line for each fault", async () => {
    await ask("POST", "messages/sms", { body: {} });
    expect(printed().length).toBeGreaterThan(2);
  });

  it("is not reported if a test may want the refusal, as for a missing consent, or if it was planned", async () => {
    await ask("POST", "messages/sms", { body: { ...sms, to: "+13125550100" } });
    await service.failNext("sendSms", { code: "validation_error" });
    expect((await ask("POST", "messages/sms", { body: sms })).status).toBe(400);
    expect(printed()).toEqual([]);
  });

  it("fails the call with onMistake error, and is not reported with onMistake silent", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const strict = await open({ onMistake: "error" });
    const body = { ...sms, to: "123" };
    await expect(ask("POST", "messages/sms", { body, of: strict })).rejects.toThrow("at /to: Expected");
    expect(error).toHaveBeenCalledTimes(1);
    const silent = await open({ onMistake: "silent" });
    expect((await ask("POST", "messages/sms", { body, of: silent })).status).toBe(400);
    expect(printed()).toEqual([]);
  });
});

describe("reset and seed", () => {
  it("restore the initial data, and revoke every key except the tenant's", async () => {
    const one = await service.issue({ merchantId: "demo" });
    await ask("POST", "messages/sms", { body: sms });
    await ask("GET", "consents?merchantId=demo", { of: { ...service, ...one } });
    await service.clock.advance("72h");
    const secret = service.webhookSecret;
    await service.reset();
    expect(await service.messages()).toEqual([]);
    expect(new Date(service.clock.now()).toISOString()).toBe("2026-01-15T12:00:00.000Z");
    const old = await ask("GET", "merchants", { of: { ...service, ...one } });
    expect(old.body.code).toBe("credentials_invalid");
    expect((await ask("GET", "merchants")).body).toHaveLength(2);
    expect(service.webhookSecret).toBe(secret);
  });

  it("add given merchants and consents, and name their faults", async () => {
    const seed = {
      merchants: [{ merchantId: "m1", displayName: "One", smsLimit: 1 }],
      consents: [{ merchantId: "m1", channel: "SMS", contact: "+12025550123", status: "OPT_IN" }],
    } as const;
    const own = await open({ seed });
    await own.reset();
    const body = { merchantId: "m1", to: "+12025550123", message: "Hi", type: "TRANSACTIONAL" };
    expect((await ask("POST", "messages/sms", { body, of: own })).status).toBe(200);
    expect((await ask("POST", "messages/sms", { body, of: own })).body.code).toBe("quota_exceeded");
    const wrong = service.seed({ merchants: [{ merchantId: "m1" } as never] });
    await expect(wrong).rejects.toThrow("service.seed: merchants/0/displayName: Required, and missing.");
    await expect(open({ seed: { consents: seed.consents } })).rejects.toThrow(MockUsageError);
    const empty = await open({ seed: null });
    expect((await ask("GET", "merchants", { of: empty })).body).toHaveLength(1);
  });

  it("issue no key for a merchant that does not exist", async () => {
    const issued = service.issue({ merchantId: "nobody" });
    await expect(issued).rejects.toThrow(MockUsageError);
    await expect(issued).rejects.toThrow('received "nobody". Add it first, with service.seed or a request.');
  });
});

describe("planned failures", () => {
  it("occur as often as planned, before the first success", async () => {
    await service.failNext("sendSms", { code: "rate_limited", times: 2 });
    const replies = [];
    for (let index = 0; index < 3; index += 1) replies.push(await ask("POST", "messages/sms", { body: sms }));
    expect(replies.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(replies[0]?.headers.get("retry-after")).toBe("1");
  });

  it("are not printed, unlike unexpected faults of the service", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    await service.failNext("sendSms", { code: "unavailable" });
    expect((await ask("POST", "messages/sms", { body: sms })).status).toBe(503);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it.each<[what: string, plan: () => Promise<void>, words: string]>([
    [
      "an operation",
      () => service.failNext("sendSmss" as "sendSms", { code: "rate_limited" }),
      "Expected one of upsert",
    ],
    [
      "a code",
      () => service.failNext("listMerchants", { code: "quota_exceeded" as never }),
      "the contract documents for listMerchants: val",
    ],
    ["nothing", () => service.failNext("sendSms", {}), "Expected code, latencyMs or both"],
    ["the failure", () => service.failNext("sendSms", undefined as never), "Expected code, latencyMs or both"],
    [
      "a field",
      () => service.failNext("sendSms", { code: "rate_limited", time: 2 } as never),
      "time: Not a field of this request.",
    ],
  ])("report what is allowed if %s is wrong", async (_what, plan, words) => {
    await expect(plan()).rejects.toThrow(words);
    await expect(plan()).rejects.toThrow(MockUsageError);
  });

  it("accept only delays from 0 to 60 seconds", () => {
    expect(() => service.delay(-1)).toThrow("expected 0 to 60000 milliseconds; received -1");
    expect(() => service.delay(Number.NaN)).toThrow(MockUsageError);
  });
});

describe("without await,", () => {
  const codes = async (asked: readonly ReturnType<typeof ask>[]) =>
    (await Promise.all(asked)).map(({ status, body }) => body.code ?? status);
  const send = (of: Ask = service) => ask("POST", "messages/sms", { body: sms, of });
  const quotaExceeded = { code: "quota_exceeded" } as const;

  it.each([
    ["a cold service", async () => open()],
    [
      "a warm service",
      async () => {
        await send();
        return service;
      },
    ],
  ])("failNext makes the next request to %s fail", async (_what, opened) => {
    const of = await opened();
    for (let round = 0; round < 6; round += 1) {
      void of.failNext("sendSms", quotaExceeded);
      expect(await codes([send(of), send(of)])).toEqual(["quota_exceeded", 200]);
    }
  });

  it("failNext makes the next request through msw fail", async () => {
    const server = setupServer(...service.handlers);
    server.listen();
    try {
      void service.failNext("sendSms", quotaExceeded);
      expect((await ask("POST", "messages/sms", { body: sms, via: fetch })).status).toBe(402);
    } finally {
      server.close();
    }
  });

  it("methods of the service take effect in the order in which they are called", async () => {
    void service.failNext("sendSms", quotaExceeded);
    void service.reset();
    expect(await codes([send()])).toEqual([200]);
    void service.reset();
    void service.failNext("sendSms", quotaExceeded);
    void service.failNext("sendSms", { code: "rate_limited" });
    expect(await codes([send(), send(), send()])).toEqual(["quota_exceeded", "rate_limited", 200]);
    void service.seed({ merchants: [{ merchantId: "shop", displayName: "Shop" }] });
    const issued = service.issue({ merchantId: "shop" });
    expect((await ask("GET", "merchants/shop")).status).toBe(200);
    expect(await issued).toMatchObject({ merchantId: "shop" });
  });

  it("seed does not delay requests for which an earlier move of the clock waits", async () => {
    const handled = new Promise((resolve) => {
      service.onCallback(async () => {
        resolve((await send()).status);
        return undefined;
      });
    });
    await ask("POST", "voice/tts-calls", { body: call });
    const asked = [service.clock.settle(), service.seed()];
    expect(await handled).toBe(200);
    await Promise.all(asked);
  });
});

describe("an unknown filter", () => {
  it.each<[what: string, ask: () => Promise<unknown>, words: string]>([
    [
      "phone",
      () => service.messages({ phone: "x" } as object),
      "service.messages: expected only messageId, to, channel, limit; received phone. Did you mean to?",
    ],
    ["message", () => service.messages({ message: "x" } as object), "received message. Did you mean messageId?"],
    ["merchantId", () => service.messages({ merchantId: "demo" } as object), "; received merchantId."],
    [
      "limits",
      () => service.callbacks({ limits: 1 } as object),
      "service.callbacks: expected only limit; received limits. Did you mean limit?",
    ],
    ["merchant", () => service.issue({ merchant: "demo" } as object), "received merchant. Did you mean merchantId?"],
  ])("is refused: %s", async (_what, asked, words) => {
    await expect(asked()).rejects.toThrow(words);
    await expect(asked()).rejects.toThrow(MockUsageError);
  });
});

describe("the clock", () => {
  it.each<[by: string | number, words: string]>([
    ["soon", "Expected a duration"],
    [-1, "expected whole milliseconds, 0 or more; received -1"],
    [1.5, "received 1.5"],
    ["367d", "at most 366 days"],
    [1e300, "at most 366 days"],
  ])("does not advance by %s", async (by, words) => {
    await expect(service.clock.advance(by)).rejects.toThrow(words);
  });

  it("moves by milliseconds and by durations", async () => {
    const start = service.clock.now();
    await service.clock.advance("1h30m");
    await service.clock.advance(1_000);
    expect(service.clock.now() - start).toBe(1.5 * hourMs + 1_000);
  });
});

describe("callbacks", () => {
  it("reach the handler with a signature, and are sent again after it answers 500", async () => {
    const received: { id: string | null; type: string; isSigned: boolean }[] = [];
    service.onCallback(async (request) => {
      const body = await request.text();
      const id = request.headers.get("webhook-id");
      const key = Buffer.from(service.webhookSecret.slice("whsec_".length), "base64");
      const signed = `${id}.${request.headers.get("webhook-timestamp")}.${body}`;
      const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
      const isSigned = request.headers.get("webhook-signature") === signature;
      received.push({ id, type: JSON.parse(body).type, isSigned });
      expect(request.url).toBe(call.callbackUrl);
      return new Response(null, { status: received.length === 1 ? 500 : 200 });
    });
    expect((await ask("POST", "voice/tts-calls", { body: call })).status).toBe(200);
    await service.clock.settle();
    expect(received).toEqual([{ id: expect.any(String), type: "voice.tts_call.updated", isSigned: true }]);
    const pending = (await service.callbacks()).find(({ id }) => id === received[0]?.id);
    expect(pending).toMatchObject({ status: "PENDING", attempts: 1, lastOutcome: "500" });

    await service.clock.advance("1h");
    expect(received.filter(({ id }) => id === received[0]?.id)).toHaveLength(2);
    expect(received.map(({ isSigned }) => isSigned)).not.toContain(false);
    expect(received.map(({ type }) => type)).toContain("voice.tts_batch.finalized");
    expect((await service.callbacks()).map(({ status }) => status)).not.toContain("PENDING");
  });

  it("report a handler that throws, and count it as 500", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const end = service.onCallback(() => {
      throw new Error("no database");
    });
    await ask("POST", "voice/tts-calls", { body: call });
    await service.clock.settle();
    expect(String(error.mock.calls[0]?.[0])).toContain("a callback to https://shop.example/hooks threw");
    expect(String(error.mock.calls[0]?.[0])).toContain("no database");
    end();
    await service.clock.advance("1h");
    expect(new Set((await service.callbacks()).map(({ status }) => status))).toEqual(new Set(["DELIVERED"]));
  });

  it("go to the handler that was set last, even if an earlier one is removed after that", async () => {
    const reached: string[] = [];
    const endFirst = service.onCallback(() => {
      reached.push("first");
      return undefined;
    });
    const endSecond = service.onCallback(() => {
      reached.push("second");
      return undefined;
    });
    endFirst();
    await ask("POST", "voice/tts-calls", { body: call });
    await service.clock.advance("1h");
    expect(new Set(reached)).toEqual(new Set(["second"]));
    endSecond();
    reached.length = 0;
    await ask("POST", "voice/tts-calls", { body: call });
    await service.clock.advance("1h");
    expect(reached).toEqual([]);
  });

  it("are posted to a URL by the global fetch", async () => {
    const posted = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null, { status: 204 }));
    expect(() => service.onCallback("/hooks")).toThrow(
      "service.onCallback: expected a function or an absolute URL; received /hooks.",
    );
    service.onCallback("http://127.0.0.1:3000/hooks");
    await ask("POST", "voice/tts-calls", { body: call });
    await service.clock.advance("1h");
    const [url, init] = posted.mock.calls[0] ?? [];
    expect(String(url)).toBe("http://127.0.0.1:3000/hooks");
    expect(JSON.parse(String(init?.body)).type).toBe("voice.tts_call.updated");
    expect(new Headers(init?.headers).get("webhook-signature")).toMatch(/^v1,/);
  });
});

it.each<[options: MockServiceOptions, words: string]>([
  [{ baseUrl: "nonsense" }, 'baseUrl: expected an origin such as https://api.msgctl.example; received "nonsense"'],
  [{ baseUrl: "https://a.example/api" }, "baseUrl: expected an origin"],
  [{ onMistake: "loud" as "warn" }, 'onMistake: expected warn, error, silent; received "loud"'],
  [{ now: Number.NaN }, "now: expected whole epoch milliseconds, 0 to 253370764800000; received NaN."],
  [{ now: -1 }, "now: expected"],
  [
    { timezone: "Mars/Olympus" },
    'timezone: expected an IANA time zone such as America/New_York; received "Mars/Olympus"',
  ],
  [{ consentPolicy: "none" as "strict" }, 'consentPolicy: expected strict, opt_out_only; received "none"'],
  [{ registration: "none" as "open" }, "registration: expected open, strict"],
  [{ rateLimit: { perSecond: 0, burst: 1 } }, "rateLimit: expected perSecond above 0 and burst of 1 or more"],
  [{ rateLimit: null as never }, "rateLimit: expected perSecond above 0 and burst of 1 or more; received null"],
  [{ rateLimit: { perSecond: 1 } as { perSecond: number; burst: number } }, "rateLimit: expected"],
  [{ allowPrivateCallbacks: "yes" as unknown as true }, 'allowPrivateCallbacks: expected true, false; received "yes"'],
  [{ basUrl: "https://a.example" } as object, "basUrl: no such option. There are baseUrl, seed, onMistake, now,"],
])("refuses the options %j", async (options, words) => {
  await expect(createMockService(options)).rejects.toThrow(words);
});
