import { afterEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, type LogLevel, UsageError } from "./index.ts";
import { API_KEY, API_SECRET, accepted, answered, problem } from "./testing/answering.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes a write that is retried, one that fails and a read, and returns the lines by level. */
async function logOf(options: ClientOptions): Promise<string[]> {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  const logger = { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
  const replies = [
    problem(503, "unavailable"),
    accepted({ headers: { "x-request-id": "req-1" } }),
    problem(404, "merchant_not_found", { detail: "There is no merchant m1." }),
  ];
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { client } = answered(() => replies.shift() as Response, { maxRetries: 1, logger, ...options });
  await client.send.sms(sms, { idempotencyKey: "order-7", headers: { authorization: "Bearer of-a-proxy" } });
  await client.consent.list({ merchantId: "of-the-query" }).safe();
  return lines;
}

const write = "@msgctl/sdk: POST https://api.example.test/api/v1/messages/sms, key order-7";
const lines = {
  error:
    "error @msgctl/sdk: GET https://api.example.test/api/v1/consents, NotFoundError: There is no merchant m1. (merchant_not_found, HTTP 404)",
  warn: `warn ${write}, attempt 1, HTTP 503, again in 0 ms`,
  info: /^info @msgctl\/sdk: POST \S+, key order-7, attempt 2, HTTP 200, req-1, \d+ ms$/,
  debug: `debug ${write}, attempt 1`,
};

it.each<[LogLevel | undefined, number]>([
  [undefined, 0],
  ["off", 0],
  ["error", 1],
  ["warn", 2],
  ["info", 5],
  ["debug", 8],
])("at level %s the log has %i lines", async (logLevel, count) => {
  expect(await logOf({ logLevel })).toHaveLength(count);
});

it("the log describes each call", async () => {
  const log = await logOf({ logLevel: "debug" });
  for (const line of [lines.error, lines.warn, lines.debug]) expect(log).toContain(line);
  expect(log.filter((line) => lines.info.test(line))).toHaveLength(1);
});

it("the log contains no credential, header, query or body", async () => {
  const log = (await logOf({ logLevel: "debug" })).join("\n");
  for (const secret of [API_KEY, API_SECRET, "of-a-proxy", "of-the-query", "+1202555", "Hello"])
    expect(log).not.toContain(secret);
});

it("the log is written to the console by default", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const failed = vi.spyOn(console, "error").mockImplementation(() => {});
  await logOf({ logLevel: "warn", logger: undefined });
  expect(warned.mock.calls).toEqual([[lines.warn.replace("warn ", "")]]);
  expect(failed.mock.calls).toEqual([[lines.error.replace("error ", "")]]);
});

describe("logging beside hooks", () => {
  it("leaves the hooks unchanged, including headers that they add", async () => {
    const seen: string[] = [];
    const { client, sent } = answered(() => accepted(), {
      logLevel: "debug",
      logger: { ...console, debug: () => {}, info: () => {} },
      hooks: { onRequest: () => ({ traceparent: "00-1" }), onResponse: ({ status }) => void seen.push(`${status}`) },
    });
    await client.send.sms(sms);
    expect(sent[0]?.headers).toMatchObject({ traceparent: "00-1" });
    expect(seen).toEqual(["200"]);
  });

  it.each<LogLevel>(["off", "debug"])("keeps `this` of hooks that are methods, at %s", async (logLevel) => {
    class Statuses {
      readonly seen: number[] = statuses;
      onResponse({ status }: { status: number }) {
        statuses.push(status);
      }
    }
    const statuses: number[] = [];
    const logger = { ...console, debug: () => {}, info: () => {} };
    const { client } = answered(() => accepted(), { logLevel, logger, hooks: new Statuses() });
    await client.send.sms(sms);
    expect(statuses).toEqual([200]);
  });

  it("does not make a call fail, even if the logger or a hook throws", async () => {
    const reported = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = () => {
      throw new Error("The disk is full.");
    };
    const { client } = answered(() => accepted(), {
      logLevel: "info",
      logger: { error: broken, warn: broken, info: broken, debug: broken },
      hooks: { onResponse: broken },
    });
    await expect(client.send.sms(sms)).resolves.toBeDefined();
    expect(reported).toHaveBeenCalledTimes(2);
  });
});

it("an unknown log level is refused", () => {
  const logLevel = "verbose" as LogLevel;
  expect(() => answered(() => accepted(), { logLevel })).toThrow(UsageError);
  expect(() => answered(() => accepted(), { logLevel })).toThrow(
    'logLevel is "verbose". It must be off, error, warn, info, debug.',
  );
});
