import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { decodeTime } from "ulid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enqueueCallback } from "../domain/callbacks/rows.ts";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService({ isDevelopment: true });
  await service.start();
});
afterEach(() => service.close());

type Method = "GET" | "POST" | "PUT" | "DELETE";

function control(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const options: InjectOptions = { method, url: `/control/${path}`, headers: { host: "127.0.0.1:4800", ...headers } };
  if (body !== undefined) options.payload = body as NonNullable<InjectOptions["payload"]>;
  return service.app.inject(options);
}

async function ok(reply: Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  const { statusCode, body } = await reply;
  expect([200, 204], body).toContain(statusCode);
  return reply;
}

const advance = (duration: string) => ok(control("POST", "clock", { advance: duration }));

const merchant = { merchantId: "m1", displayName: "First", smsLimit: 100, emailLimit: 100 };

async function send(to = "+12025550100", key?: string) {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  const body = { merchantId: "m1", to, message: "Hello", type: "OTP" };
  return service.call("POST", "/api/v1/messages/sms", { body, headers });
}

async function messageIdOf(reply: Promise<LightMyRequestResponse>): Promise<string> {
  return (await ok(reply)).json().messageId;
}

const addMerchant = () => ok(service.call("POST", "/api/v1/merchants", { body: merchant }));

const find = async (query: string) => (await ok(control("GET", `messages?${query}`))).json();

describe("access", () => {
  it.each([
    [{ host: "localhost:4800" }, 200],
    [{ host: "127.0.0.1" }, 200],
    [{ host: "[::1]:4800" }, 200],
    [{ origin: "http://127.0.0.1:4800" }, 200],
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ host: "evil.example" }, 403],
    [{ host: "127.0.0.1.evil.example" }, 403],
    [{ host: "localhost.evil.example:4800" }, 403],
    [{ host: "10.0.0.1:4800" }, 403],
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "http://127.0.0.1:3000" }, 403],
    [{ origin: "https://127.0.0.1:4800" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
  ])("with the headers %j is answered with %i", async (headers, status) => {
    const reply = await control("GET", "clock", undefined, headers as Record<string, string>);
    expect(reply.statusCode).toBe(status);
    if (status === 403) expect(reply.json()).toMatchObject({ code: "control_denied", requestId: expect.any(String) });
  });

  it("is refused to all callers unless the server is in development", async () => {
    const ordinary = await openInMemoryService();
    for (const [method, url] of [
      ["POST", "/control/reset"],
      ["GET", "/control/messages"],
    ] as const) {
      const reply = await ordinary.app.inject({ method, url });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "route_not_found"]);
    }
    await ordinary.close();
  });
});

describe("the clock", () => {
  it("runs everything that is due by its new time", async () => {
    await addMerchant();
    const slow = await messageIdOf(send("+12025550101"));
    const silent = await messageIdOf(send("+12025550102"));
    await advance("20s");
    expect((await find(`messageId=${slow}`))[0].status).toBe("SENT");
    await advance("11s");
    expect((await find(`messageId=${slow}`))[0].status).toBe("DELIVERED");
    expect((await find(`messageId=${silent}`))[0].status).toBe("SENT");
    await advance("72h");
    expect((await find(`messageId=${silent}`))[0].status).toBe("UNKNOWN");
  });

  it("shows its time, and can be set to a given time", async () => {
    expect((await control("GET", "clock")).json()).toEqual({ now: "2026-01-15T12:00:00.000Z", offsetMs: 0 });
    expect((await advance("1h30m")).json()).toEqual({ now: "2026-01-15T13:30:00.000Z", offsetMs: 5_400_000 });
    const set = await ok(control("POST", "clock", { set: "2026-03-01T00:00:00+01:00" }));
    expect(set.json().now).toBe("2026-02-28T23:00:00.000Z");
  });

  it.each([
    [{ set: "2026-01-15T11:59:59Z" }, "/set", /never goes back/],
    [{ set: "yesterday" }, "/set", /Expected/],
    [{ advance: "soon" }, "/advance", /such as 72h or 1h30m; received "soon"/],
    [{ advance: "-1h" }, "/advance", /such as 72h/],
    [{ advance: "367d" }, "/advance", /at most 366 days/],
    [{ advance: 72 }, "/advance", /Expected text; received a number/],
    [{}, "", /either advance or set/],
    [{ advance: "1h", set: "2027-01-01T00:00:00Z" }, "", /either advance or set/],
    [{ advnace: "1h" }, "/advnace", /Not a field/],
  ])("is not moved by %j", async (body, pointer, words) => {
    const reply = await control("POST", "clock", body);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: "validation_error", instance: "/control/clock" });
    const fault = reply.json().errors.find((error: { pointer: string }) => error.pointer === pointer);
    expect(fault?.detail).toMatch(words);
    expect((await control("GET", "clock")).json().offsetMs).toBe(0);
  });

  it("handles one move at a time", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => advance("1h")));
    expect(replies.map((reply) => reply.json().offsetMs / 3_600_000)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("messages", () => {
  it("are listed with the provider's counts, newest first", async () => {
    await addMerchant();
    const first = await messageIdOf(send("+12025550104"));
    const body = { merchantId: "m1", to: "bounced@simulator.example", subject: "Hi", body: "<p>Hi</p>", type: "OTP" };
    const second = await messageIdOf(service.call("POST", "/api/v1/messages/email", { body }));
    await advance("1m");
    const messages = await find("");
    expect(messages.map(({ messageId }: { messageId: string }) => messageId)).toEqual([second, first]);
    expect(messages[1]).toEqual({
      messageId: first,
      tenantId: String(service.credential.tenantId),
      merchantId: "m1",
      channel: "SMS",
      type: "OTP",
      to: "+12025550104",
      content: "Hello",
      status: "DELIVERED",
      deliveryReason: null,
      attempts: 2,
      providerSends: 1,
      createdAt: "2026-01-15T12:00:00.000Z",
      updatedAt: expect.stringMatching(/^2026-01-15T12:00:0\d\.\d{3}Z$/),
    });
    expect(await find("channel=EMAIL")).toMatchObject([{ messageId: second, deliveryReason: "UNREACHABLE" }]);
    expect(await find("to=%2B12025550104&channel=SMS")).toHaveLength(1);
    expect(await find(`messageId=${first}&channel=EMAIL`)).toEqual([]);
    expect(await find("limit=1")).toHaveLength(1);
  });

  it("are listed with their whole content, even if it is long", async () => {
    await addMerchant();
    const text = "x".repeat(20_000);
    const body = { merchantId: "m1", to: "jane@example.com", subject: "Hi", body: text, type: "OTP" };
    await ok(service.call("POST", "/api/v1/messages/email", { body }));
    expect(await find("channel=EMAIL")).toMatchObject([{ content: text }]);
  });

  describe("messages of calls", () => {
    const number = "+12025550100";
    const call = async (change: object) => {
      const body = { merchantId: "m1", messageText: "Your code is 1234.", useCase: "otp", toNumber: number, ...change };
      return (await ok(service.call("POST", "/api/v1/voice/tts-calls", { body }))).json();
    };
    beforeEach(async () => {
      const voice = { ...merchant, voiceMinutesLimit: 100 };
      await ok(service.call("POST", "/api/v1/merchants", { body: voice }));
    });

    it("exist from the call's acceptance on, with a constant id", async () => {
      await call({});
      const [accepted, ...others] = await find("channel=VOICE");
      expect(others).toEqual([]);
      expect(accepted).toEqual({
        messageId: expect.stringMatching(/^msg_[0-9A-Z]{26}$/),
        tenantId: String(service.credential.tenantId),
        merchantId: "m1",
        channel: "VOICE",
        type: "OTP",
        to: number,
        content: "Your code is 1234.",
        status: "QUEUED",
        deliveryReason: null,
        attempts: 0,
        providerSends: 0,
        createdAt: "2026-01-15T12:00:00.000Z",
        updatedAt: "2026-01-15T12:00:00.000Z",
      });
      const { messageId } = accepted;
      expect(await find(`messageId=${messageId}&to=%2B12025550100&channel=VOICE`)).toEqual([accepted]);
      await advance("1m");
      const dialled = { ...accepted, status: "DELIVERED", attempts: 1, providerSends: 1 };
      expect(await find(`messageId=${messageId}`)).toEqual([{ ...dialled, updatedAt: expect.any(String) }]);
      expect(await find("")).toHaveLength(1);
    });

    it("are listed among all other messages, newest first", async () => {
      const first = await messageIdOf(send());
      await advance("1s");
      await call({ toNumbers: ["+12125550100"] });
      await advance("1s");
      const last = await messageIdOf(send());
      const places = async (query: string) =>
        (await find(query)).map(({ messageId, to }: Record<string, string>) =>
          messageId === last ? "last" : messageId === first ? "first" : to,
        );
      const expected = ["last", "+12125550100", number, "first"];
      expect(await places("")).toEqual(expected);
      expect(await places("limit=2")).toEqual(expected.slice(0, 2));
      expect(await find(`messageId=${first}`)).toHaveLength(1);
      expect(await find(`messageId=${first}&channel=VOICE`)).toEqual([]);
      expect(await find("channel=SMS")).toHaveLength(2);
      await advance("1m");
      expect(await places("")).toEqual(expected);
    });

    it("end FAILED if the call is never dialled, and do not exist if the call was refused", async () => {
      const consent = { merchantId: "m1", channel: "VOICE", contact: number, status: "OPT_OUT" };
      await ok(service.call("POST", "/api/v1/consents", { body: consent }));
      await call({ toNumbers: ["+12025550137"] });
      await advance("1m");
      const failed = {
        to: "+12025550137",
        status: "FAILED",
        deliveryReason: "TTS_FAILED",
        attempts: 0,
        providerSends: 0,
      };
      expect(await find("")).toMatchObject([failed]);
    });

    it("wait for the morning, and are checked again then", async () => {
      await ok(control("POST", "clock", { set: "2026-01-16T04:00:00Z" }));
      const consent = { merchantId: "m1", channel: "VOICE", contact: number };
      await ok(service.call("POST", "/api/v1/consents", { body: { ...consent, status: "OPT_IN" } }));
      await call({ useCase: "MARKETING" });
      await advance("8h");
      expect(await find("")).toMatchObject([{ status: "QUEUED", createdAt: "2026-01-16T04:00:00.000Z" }]);
      await ok(service.call("POST", "/api/v1/consents", { body: { ...consent, status: "OPT_OUT" } }));
      await advance("2h");
      expect(await find("")).toMatchObject([{ status: "FAILED", deliveryReason: "OPTED_OUT" }]);
    });
  });

  it("cannot be listed with unknown filters", async () => {
    const reply = await control("GET", "messages?channel=FAX&limit=0&status=SENT");
    expect(reply.statusCode).toBe(400);
    const pointers = reply.json().errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.sort()).toEqual(["/query/channel", "/query/limit", "/query/status"]);
  });
});

describe("callbacks", () => {
  it("are listed with body and state, newest first", async () => {
    const { tenantId } = service.credential;
    const url = "https://receiver.example/hook";
    const now = service.clock.now();
    for (const batchId of ["1", "2"]) {
      await service.store.write((tx) =>
        enqueueCallback(tx, { tenantId, requestId: 1, url, type: "voice.tts_batch.finalized", data: { batchId }, now }),
      );
    }
    const callbacks = (await ok(control("GET", "callbacks"))).json();
    expect(callbacks).toHaveLength(2);
    expect(callbacks[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: "voice.tts_batch.finalized",
      url,
      status: "PENDING",
      attempts: 0,
      nextAttemptAt: "2026-01-15T12:00:00.000Z",
      lastOutcome: null,
      body: { type: "voice.tts_batch.finalized", timestamp: "2026-01-15T12:00:00.000Z", data: { batchId: "2" } },
    });
    expect((await ok(control("GET", "callbacks?limit=1"))).json()).toHaveLength(1);
  });
});

describe("the credential", () => {
  it("is the tenant's, and is never cached", async () => {
    const reply = await ok(control("GET", "credential"));
    const { apiKey, apiSecret } = service.credential;
    expect(reply.json()).toEqual({ apiKey, apiSecret, merchantId: "demo" });
    expect(reply.headers["cache-control"]).toBe("no-store");
  });
});

describe("reset", () => {
  it("makes new ids from the restored time", async () => {
    await addMerchant();
    await advance("80h");
    const ahead = await messageIdOf(send());
    await ok(control("POST", "reset"));
    await addMerchant();
    expect(decodeTime((await messageIdOf(send())).slice("msg_".length))).toBe(service.clock.now());
    expect(decodeTime(ahead.slice("msg_".length))).toBeGreaterThan(service.clock.now());
  });

  it("leaves only the tenant and its credential, and returns to the machine's time", async () => {
    await addMerchant();
    await service.issue({ tenant: "Other" });
    const before = await messageIdOf(send("+12025550101", "same key"));
    await ok(control("POST", "faults", { operation: "sendSms", code: "rate_limited", times: 5 }));
    await advance("1h");
    await ok(control("POST", "reset"));

    expect(await find("")).toEqual([]);
    expect((await control("GET", "clock")).json().offsetMs).toBe(0);
    expect((await control("GET", "faults")).json()).toEqual([]);
    const merchants = await ok(service.call("GET", "/api/v1/merchants"));
    expect(merchants.json().map(({ merchantId }: { merchantId: string }) => merchantId)).toEqual(["default"]);
    const tenants = await service.store.read((tx) => tx.all("SELECT tenant_id FROM tenants"));
    expect(tenants).toHaveLength(1);

    await addMerchant();
    const after = await messageIdOf(send("+12025550101", "same key"));
    expect(after).not.toBe(before);
    await advance("1m");
    expect(await find("")).toMatchObject([{ messageId: after, status: "DELIVERED", providerSends: 1 }]);
  });

  it("empties every table", async () => {
    await addMerchant();
    for (const to of ["+12025550100", "+12025550120", "+12025550150"]) await messageIdOf(send(to, `key ${to}`));
    await advance("5s");
    await ok(control("POST", "reset"));
    const tables = await service.store.read((tx) =>
      tx.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"),
    );
    const filled: string[] = [];
    for (const { name } of tables) {
      const row = await service.store.read((tx) => tx.get(`SELECT 1 FROM ${name} LIMIT 1`));
      if (row !== undefined) filled.push(name);
    }
    // the tenant, and the jobs that every server schedules at its start
    const expected = [
      "credential_secrets",
      "credentials",
      "jobs",
      "merchants",
      "migrations",
      "pruning",
      "quotas",
      "tenants",
    ];
    expect(filled.sort()).toEqual(expected);
  });
});

describe("the URL for events of messages", () => {
  it("is set and removed, and a change returns the one of before", async () => {
    const url = "http://127.0.0.1:3000/events";
    const set = (to: unknown) => control("PUT", "event-subscription", { url: to });
    expect((await ok(set(url))).json()).toEqual({ url: null });
    expect((await ok(control("GET", "event-subscription"))).json()).toEqual({ url });
    expect((await ok(set(`${url}/2`))).json()).toEqual({ url });
    expect((await ok(control("DELETE", "event-subscription"))).statusCode).toBe(204);
    expect((await ok(control("GET", "event-subscription"))).json()).toEqual({ url: null });
    for (const wrong of [undefined, 7, "", "http://10.0.0.1/", "ftp://127.0.0.1/"]) {
      expect((await set(wrong)).statusCode).toBe(400);
    }
  });
});

describe("seed", () => {
  it("adds merchants with limits and credits, and consents, to the tenant", async () => {
    const seed = {
      merchants: [{ merchantId: "shop", displayName: "Shop", smsLimit: 5, smsCredits: 7, active: false }],
      consents: [{ merchantId: "shop", channel: "EMAIL", contact: "Ada@EXAMPLE.com", status: "OPT_OUT" }],
    };
    expect((await control("POST", "seed", seed)).statusCode).toBe(204);
    const shop = (await ok(service.call("GET", "/api/v1/merchants/shop"))).json();
    expect(shop).toMatchObject({ active: false, limits: { smsLimit: 5 }, credits: { smsCredits: 7 } });
    const consents = (await ok(service.call("GET", "/api/v1/consents?merchantId=shop"))).json();
    expect(consents).toMatchObject([{ channel: "EMAIL", status: "OPT_OUT" }]);
  });

  it("is rejected as a whole, with all faults at once", async () => {
    const seed = {
      merchants: [
        { merchantId: "shop", displayName: "Shop" },
        { merchantId: "a b", smsLimit: -1 },
      ],
      consents: [{ merchantId: "shop", channel: "SMS", contact: "12", status: "OPT_IN" }],
      messages: [],
    };
    const reply = await control("POST", "seed", seed);
    expect(reply.statusCode).toBe(400);
    const pointers = reply.json().errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(new Set(pointers)).toEqual(
      new Set([
        "/messages",
        "/merchants/1/displayName",
        "/merchants/1/merchantId",
        "/merchants/1/smsLimit",
        "/consents/0/contact",
      ]),
    );
    const unknown = await control("POST", "seed", {
      merchants: [{ merchantId: "shop", displayName: "Shop" }],
      consents: [{ merchantId: "nobody", channel: "SMS", contact: "+12025550100", status: "OPT_IN" }],
    });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "merchant_not_found"]);
    expect((await service.call("GET", "/api/v1/merchants/shop")).statusCode).toBe(404);
  });
});

describe("faults of an operation", () => {
  it("of rate limits have the rate-limit headers", async () => {
    await ok(control("POST", "faults", { operation: "sendSms", code: "rate_limited", times: 1 }));
    const { statusCode, headers } = await send();
    expect([statusCode, headers["retry-after"], headers.ratelimit]).toEqual([429, "1", '"default";r=0;t=1']);
    expect(headers["ratelimit-policy"]).toBe('"default";q=1;w=1');
  });

  it("make only its next calls fail, without changing anything", async () => {
    await addMerchant();
    await ok(control("POST", "faults", { operation: "sendSms", code: "unavailable", times: 2 }));
    const replies = [await send(), await service.call("GET", "/api/v1/merchants"), await send(), await send()];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 200, 503, 200]);
    expect(replies[0]?.json()).toMatchObject({
      code: "unavailable",
      detail: expect.stringContaining("/control/faults"),
    });
    expect(replies[0]?.headers["retry-after"]).toBe("5");
    expect(await find("")).toHaveLength(1);
  });

  it("delay its calls", async () => {
    await addMerchant();
    await ok(control("POST", "faults", { operation: "sendSms", latencyMs: 60 }));
    const start = performance.now();
    expect((await send()).statusCode).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  it("are listed with the number of remaining calls, and can be canceled", async () => {
    await ok(control("POST", "faults", { operation: "sendSms", code: "unavailable", times: 2 }));
    await ok(control("POST", "faults", { provider: "timeout" }));
    await send();
    expect((await control("GET", "faults")).json()).toEqual([
      { operation: "sendSms", code: "unavailable", latencyMs: 0, left: 1 },
      { provider: "timeout", left: 1 },
    ]);
    expect((await control("DELETE", "faults")).statusCode).toBe(204);
    expect((await control("GET", "faults")).json()).toEqual([]);
  });

  it.each([
    [{}, [""]],
    [{ operation: "sendSms" }, [""]],
    [{ operation: "sendSms", provider: "timeout" }, [""]],
    [{ operation: "sendFax", code: "unheard_of", times: 0 }, ["/operation", "/code", "/times"]],
    [{ operation: "sendSms", code: "sip_user_not_found" }, ["/code"]],
    [{ provider: "explode" }, ["/provider"]],
    [{ provider: "timeout", code: "unavailable", latencyMs: 5 }, ["/code", "/latencyMs"]],
    [{ operation: "sendSms", latencyMs: 60_001, colour: "red" }, ["/latencyMs", "/colour"]],
    [[], [""]],
  ])("are rejected if they are invalid: %j", async (body, pointers) => {
    const reply = await control("POST", "faults", body);
    expect(reply.statusCode).toBe(400);
    const found = new Set(reply.json().errors.map(({ pointer }: { pointer: string }) => pointer));
    expect(found).toEqual(new Set(pointers));
    expect((await control("GET", "faults")).json()).toEqual([]);
  });
});

describe("faults of the provider", () => {
  it.each([
    ["timeout", { status: "DELIVERED", attempts: 2, providerSends: 1 }],
    ["lost_answer", { status: "DELIVERED", attempts: 1, providerSends: 1 }],
    ["server_error", { status: "FAILED", attempts: 1, providerSends: 0 }],
    ["rate_limit", { status: "DELIVERED", attempts: 2, providerSends: 1 }],
    ["lost_receipts", { status: "SENT", attempts: 1, providerSends: 1 }],
    ["late_receipts", { status: "SENT", attempts: 1, providerSends: 1 }],
    ["duplicate_receipts", { status: "DELIVERED", attempts: 1, providerSends: 1 }],
  ])("affect one submission by %s, which ends as %j", async (provider, outcome) => {
    await addMerchant();
    await ok(control("POST", "faults", { provider }));
    const hit = await messageIdOf(send());
    await advance("30s");
    const spared = await messageIdOf(send());
    await advance("20s");
    expect(await find(`messageId=${hit}`)).toMatchObject([outcome]);
    expect(await find(`messageId=${spared}`)).toMatchObject([{ status: "DELIVERED", attempts: 1, providerSends: 1 }]);
    await advance("72h");
    const ended = { lost_receipts: "UNKNOWN", late_receipts: "DELIVERED" } as Record<string, string>;
    expect((await find(`messageId=${hit}`))[0].status).toBe(ended[provider] ?? outcome.status);
  });
});
