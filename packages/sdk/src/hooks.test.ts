import { afterEach, expect, it, vi } from "vitest";
import { ConnectionError, type Hooks, NotFoundError, UsageError } from "./index.ts";
import { API_KEY, API_SECRET, accepted, answered, BASE_URL, problem } from "./testing/answering.ts";

const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Hooks that record their events, in order. */
function noting(): { hooks: Required<Hooks>; told: [name: string, event: Record<string, unknown>][] } {
  const told: [string, Record<string, unknown>][] = [];
  const note = (name: string) => (event: object) => void told.push([name, { ...event }]);
  const hooks = {
    onRequest: note("request"),
    onResponse: note("response"),
    onRetry: note("retry"),
    onError: note("error"),
  };
  return { hooks, told };
}

it("hooks are called for each request, each reply and each retry of a call", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { hooks, told } = noting();
  const replies = [() => problem(503, "unavailable"), () => Promise.reject(new TypeError("fetch failed"))];
  const { client } = answered(() => replies.shift()?.() ?? accepted(), { hooks, maxRetries: 2 });
  await client.send.sms(body, { idempotencyKey: "k1" });
  expect(told.map(([name, { attempt, status }]) => [name, attempt, status])).toEqual([
    ["request", 1, undefined],
    ["response", 1, 503],
    ["retry", 1, 503],
    ["request", 2, undefined],
    ["retry", 2, undefined],
    ["request", 3, undefined],
    ["response", 3, 200],
  ]);
  expect(told[4]?.[1].error).toBeInstanceOf(ConnectionError);
  expect(new Set(told.map(([, { call }]) => call)).size).toBe(1);
  expect(told[0]?.[1].call).toEqual({
    method: "POST",
    route: "/api/v1/messages/sms",
    url: `${BASE_URL}/api/v1/messages/sms`,
    idempotencyKey: "k1",
  });
});

it("hooks receive the route without its values, and no query", async () => {
  const { hooks, told } = noting();
  const { client } = answered(() => Response.json([]), { hooks });
  await client.tts.numbers(7, { status: "FAILED" });
  expect(told[0]?.[1].call).toMatchObject({
    route: "/api/v1/voice/tts-calls/batches/{batchId}/numbers",
    url: `${BASE_URL}/api/v1/voice/tts-calls/batches/7/numbers`,
  });
});

it("hooks see no credential", async () => {
  const { hooks, told } = noting();
  const { client } = answered(() => problem(404, "merchant_not_found"), { hooks, headers: { "X-Trace": "t" } });
  await client.merchants.get("m1").safe();
  expect(told[0]?.[1].headers).toMatchObject({ "x-api-key": "***", "x-api-secret": "***", "x-trace": "t" });
  const all = JSON.stringify(told);
  expect(all).not.toContain(API_KEY);
  expect(all).not.toContain(API_SECRET);
});

it("onError is called once for each failed call", async () => {
  const { hooks, told } = noting();
  const { client } = answered(() => problem(404, "merchant_not_found"), { hooks });
  await client.merchants.get("m1").safe();
  await client.merchants.get("..").safe();
  const errors = told.filter(([name]) => name === "error").map(([, { error }]) => error);
  expect(errors).toEqual([expect.any(NotFoundError), expect.any(UsageError)]);
});

it("hooks may add headers, but no credential", async () => {
  const hooks: Hooks = { onRequest: ({ attempt }) => ({ TraceParent: `t${attempt}`, "X-API-KEY": "other" }) };
  const { client, sent } = answered(() => Response.json([]), { hooks });
  await client.merchants.list();
  expect(sent[0]?.headers).toMatchObject({ traceparent: "t1", "x-api-key": API_KEY });
});

it("a hook that throws does not affect the call", async () => {
  const noted = vi.spyOn(console, "error").mockReturnValue();
  const fault = new Error("a watcher's fault");
  const fail = () => {
    throw fault;
  };
  const { client } = answered(() => Response.json([]), {
    hooks: { onRequest: fail, onResponse: fail, onRetry: fail, onError: fail },
  });
  expect(await client.merchants.list()).toEqual([]);
  expect(noted).toHaveBeenCalledTimes(2);
  expect(noted).toHaveBeenCalledWith(expect.stringContaining("hook"), fault);
});

it("a hook whose promise rejects does not affect the call", async () => {
  const noted = vi.spyOn(console, "error").mockReturnValue();
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const fault = new Error("a watcher's fault");
  const fail = async () => {
    throw fault;
  };
  const onRequest = fail as unknown as () => undefined;
  const hooks = { onRequest, onResponse: fail, onRetry: fail, onError: fail };
  const { client } = answered(() => problem(503, "unavailable"), { hooks, maxRetries: 1 });
  vi.spyOn(Math, "random").mockReturnValue(0);
  expect(await client.merchants.list().safe()).toMatchObject({ ok: false });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect(noted.mock.calls.map(([, error]) => error)).toEqual(Array(6).fill(fault));
});

it("an invalid header from a hook is not sent, and does not make the call fail", async () => {
  const noted = vi.spyOn(console, "error").mockReturnValue();
  const { client, sent } = answered(() => Response.json([]), { hooks: { onRequest: () => ({ trace: "a\nb" }) } });
  expect(await client.merchants.list()).toEqual([]);
  expect(sent[0]?.headers).not.toHaveProperty("trace");
  expect(noted).toHaveBeenCalledWith(expect.stringContaining("hook"), expect.any(UsageError));
});

it("hooks are also called for the raw client's calls", async () => {
  const { hooks, told } = noting();
  const { client } = answered(() => Response.json([]), { hooks });
  await client.raw.GET("/api/v1/alerts", { params: { query: { merchantId: "m1" } } });
  expect(told.map(([name]) => name)).toEqual(["request", "response"]);
  expect(told[0]?.[1].call).toMatchObject({ route: "/api/v1/alerts" });
});
