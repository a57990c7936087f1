import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UsageError } from "./errors.ts";
import { MessagingClient } from "./index.ts";
import { API_KEY, API_SECRET, answered, BASE_URL } from "./testing/answering.ts";

const given = { apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL };
const NAMES = ["MSGCTL_API_KEY", "MSGCTL_API_SECRET", "MSGCTL_BASE_URL"] as const;

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the environment", () => {
  it("provides missing options", async () => {
    vi.stubEnv("MSGCTL_API_KEY", "key-of-environment");
    vi.stubEnv("MSGCTL_API_SECRET", "secret-of-environment");
    vi.stubEnv("MSGCTL_BASE_URL", "http://127.0.0.1:4800");
    const { client, sent } = answered(() => Response.json([]), {
      apiKey: undefined,
      apiSecret: undefined,
      baseUrl: undefined,
    });
    await client.merchants.list();
    expect(sent[0]).toMatchObject({
      url: "http://127.0.0.1:4800/api/v1/merchants",
      headers: { "x-api-key": "key-of-environment", "x-api-secret": "secret-of-environment" },
    });
  });

  it("does not override an option", async () => {
    vi.stubEnv("MSGCTL_API_KEY", "key-of-environment");
    const { client, sent } = answered(() => Response.json([]));
    await client.merchants.list();
    expect(sent[0]?.headers["x-api-key"]).toBe(API_KEY);
  });
});

describe("an error names missing options", () => {
  it.each([
    [{ ...given, apiKey: undefined }, ["MSGCTL_API_KEY"]],
    [{ ...given, apiSecret: "" }, ["MSGCTL_API_SECRET"]],
    [{ ...given, baseUrl: undefined }, ["MSGCTL_BASE_URL"]],
    [{}, NAMES],
  ])("%o", (options, names) => {
    const message = messageOf(() => new MessagingClient(options));
    expect(NAMES.filter((name) => message.includes(name))).toEqual(names);
  });
});

it.each([
  ["ftp://api.example.test", "ftp://api.example.test"],
  ["api.example.test", "api.example.test"],
  ["https://user:word@api.example.test", "***@api.example.test"],
  ["https://api.example.test?x=1", "https://api.example.test?***"],
  ["https://api.example.test/#x", "https://api.example.test/#***"],
  ["https://api.example.test/api/v1/", "https://api.example.test/api/v1/"],
])("refuses %s as baseUrl, and shows no more of it than %s", (baseUrl, shown) => {
  expect(messageOf(() => new MessagingClient({ ...given, baseUrl }))).toContain(`baseUrl is "${shown}". It must`);
});

it.each([
  ["https://api.example.test/", "https://api.example.test/api/v1/merchants"],
  ["https://api.example.test/messaging//", "https://api.example.test/messaging/api/v1/merchants"],
])("appends paths to %s", async (baseUrl, url) => {
  const { client, sent } = answered(() => Response.json([]), { baseUrl });
  await client.merchants.list();
  expect(sent[0]?.url).toBe(url);
});

it.each(["two words", "line\n", "schlüssel"])(
  "refuses a credential that a header cannot carry, without quoting it: %o",
  (value) => {
    const message = messageOf(() => new MessagingClient({ ...given, apiSecret: value }));
    expect(message).toContain("apiSecret");
    expect(message).not.toContain(value);
  },
);

it("shows no credential in anything that prints", async () => {
  const { client } = answered(() => Promise.reject(new TypeError("fetch failed")));
  const outcome = await client.merchants.list().safe();
  for (const shown of [client, client.raw, client.send, outcome]) {
    const printed = inspect(shown, { depth: null, showHidden: true, getters: true }) + JSON.stringify(shown);
    expect(printed).not.toContain(API_KEY);
    expect(printed).not.toContain(API_SECRET);
  }
});

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return String(error);
  }
  throw new Error("The client was made.");
}

describe("bounds", () => {
  it.each([
    [{ timeoutMs: 0 }, /timeoutMs is 0\b.*Infinity/],
    [{ timeoutMs: -1 }, /timeoutMs is -1/],
    [{ timeoutMs: Number.NaN }, /timeoutMs is NaN/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs is 2147483648/],
    [{ totalTimeoutMs: "1000" as unknown as number }, undefined],
    [{ totalTimeoutMs: -5 }, /totalTimeoutMs is -5/],
    [{ maxRetries: -1 }, /maxRetries is -1/],
    [{ maxRetries: 1.5 }, /maxRetries is 1.5/],
    [{ maxRetries: Number.POSITIVE_INFINITY }, /maxRetries is Infinity/],
  ])("%o are refused, by the client and by a call", async (bounds, said) => {
    const { client, sent } = answered(() => Response.json([]));
    const outcome = await client.merchants.list(bounds).safe();
    expect(messageOf(() => new MessagingClient({ ...given, ...bounds }))).toMatch(said ?? /must be above 0/);
    expect(outcome).toMatchObject({ ok: false, error: expect.any(UsageError), meta: { attempts: 0 } });
    expect(sent).toEqual([]);
  });

  it.each([
    { timeoutMs: 0.5 },
    { timeoutMs: 2 ** 31 - 1 },
    { timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: Number.POSITIVE_INFINITY },
    { maxRetries: 0 },
  ])("%o are accepted", (bounds) => {
    expect(() => new MessagingClient({ ...given, ...bounds })).not.toThrow();
  });
});
