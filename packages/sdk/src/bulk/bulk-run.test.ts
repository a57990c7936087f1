import { describe, expect, it, vi } from "vitest";
import type { FetchInit } from "../index.ts";
import { AbortedError, AuthenticationError, ConsentError, UsageError } from "../index.ts";
import { accepted, answered, problem } from "../testing/answering.ts";
import type { BulkOutcome } from "./bulk-run.ts";

const text = (index: number) => ({ merchantId: "m1", to: `+1202555${index}`, message: "Hello", type: "OTP" }) as const;
const texts = (count: number) => Array.from({ length: count }, (_, index) => text(index));
const toOf = ({ body = "{}" }: FetchInit) => JSON.parse(body).to as string;
const keysOf = (sent: FetchInit[]) => sent.map(({ headers }) => headers["idempotency-key"]);

async function collect<Row, T>(run: AsyncIterable<BulkOutcome<Row, T>>): Promise<BulkOutcome<Row, T>[]> {
  const outcomes = [];
  for await (const outcome of run) outcomes.push(outcome);
  return outcomes.sort((a, b) => a.index - b.index);
}

describe("an invalid row", () => {
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["string", "+12025550100"],
    ["number", 7],
    ["function", () => text(0)],
    ["a list", [text(0)]],
  ])("(%s) fails alone, and nothing is sent for it", async (kind, rubbish) => {
    const { client, sent } = answered(() => accepted());
    const rows = [text(0), rubbish as ReturnType<typeof text>, text(2)];
    const outcomes = await collect(client.send.many(rows, { channel: "SMS", keyPrefix: "march" }));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(outcomes[1]).toMatchObject({
      ...{ index: 1, row: rubbish, idempotencyKey: undefined, error: expect.any(UsageError), meta: { attempts: 0 } },
    });
    expect(String((outcomes[1] as { error?: Error }).error)).toContain(`Row 1 is ${kind}.`);
    expect(sent.map(toOf).sort()).toEqual(["+12025550", "+12025552"]);
  });
});

describe("each row", () => {
  it("is one call, with its index, its key and its outcome", async () => {
    const { client, sent } = answered((request) =>
      toOf(request).endsWith("1")
        ? problem(422, "consent_required")
        : Response.json({ messageId: toOf(request) }, { headers: { "idempotent-replayed": "true" } }),
    );
    const rows = texts(3);
    const outcomes = await collect(client.send.many(rows, { channel: "SMS", keyPrefix: "march" }));
    const keyOf = new Map(sent.map((request) => [toOf(request), request.headers["idempotency-key"]]));
    expect(outcomes.map(({ index, row, idempotencyKey }) => [index, row, idempotencyKey])).toEqual(
      rows.map((row, index) => [index, row, keyOf.get(row.to)]),
    );
    for (const { idempotencyKey } of outcomes) expect(idempotencyKey).toMatch(/^march-r1-[0-9a-f]{32}-0$/);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(outcomes[0]).toMatchObject({ data: { messageId: "+12025550" }, meta: { status: 200, replayed: true } });
    expect(outcomes[1]).toMatchObject({ error: expect.any(ConsentError), meta: { status: 422, attempts: 1 } });
  });

  it.each([
    ["SMS", "/api/v1/messages/sms"],
    ["VOICE", "/api/v1/messages/voice"],
    ["EMAIL", "/api/v1/messages/email"],
  ] as const)("is sent by %s to %s", async (channel, path) => {
    const { client, sent } = answered(() => accepted());
    // Only the address matters here.
    await collect(client.send.many([{ to: "m1" }] as never[], { channel }));
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([path]);
  });

  it("is recorded as a consent", async () => {
    const { client, sent } = answered(() => accepted());
    const rows = [{ merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" }] as const;
    expect(await collect(client.consent.recordMany(rows))).toMatchObject([{ ok: true, row: rows[0] }]);
    expect(sent.map(({ url, body }) => [new URL(url).pathname, JSON.parse(body ?? "")])).toEqual([
      ["/api/v1/consents", rows[0]],
    ]);
  });

  it("uses the run's limits, retries and headers", async () => {
    const { client, sent } = answered(() => problem(503, "unavailable"));
    const options = {
      channel: "SMS",
      headers: { "x-run": "7" },
      maxRetries: 0,
    } as const;
    const outcomes = await collect(client.send.many(texts(2), options));
    expect(outcomes.map(({ meta }) => meta.attempts)).toEqual([1, 1]);
    expect(sent.map(({ headers }) => headers["x-run"])).toEqual(["7", "7"]);

    const timedOut = [{ error: { name: "TimeoutError" } }];
    const { client: stalled } = answered(() => new Promise(() => {}));
    expect(await collect(stalled.send.many(texts(1), { ...options, timeoutMs: 5 }))).toMatchObject(timedOut);
    expect(await collect(stalled.send.many(texts(1), { ...options, totalTimeoutMs: 5 }))).toMatchObject(timedOut);
  });

  it("that is refused before it is sent has an outcome, and does not end the run", async () => {
    const { client, sent } = answered(() => accepted());
    const idempotencyKey = (_row: object, index: number) => {
      if (index === 1) throw new Error("no id");
      return index === 2 ? "ключ" : `order-${index}`;
    };
    const outcomes = await collect(client.send.many(texts(4), { channel: "SMS", idempotencyKey }));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false, true]);
    const refused = { error: expect.any(UsageError), meta: { attempts: 0 } };
    expect(outcomes[1]).toMatchObject({ ...refused, row: text(1), idempotencyKey: undefined });
    expect(outcomes[2]).toMatchObject({ ...refused, row: text(2), idempotencyKey: "ключ" });
    expect(keysOf(sent)).toEqual(["order-0", "order-3"]);
  });
});

describe("a run", () => {
  it("does nothing before it is iterated, and can be iterated only once", async () => {
    const { client, sent } = answered(() => accepted());
    const run = client.send.many(texts(2), { channel: "SMS" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual([]);
    await collect(run);
    await expect(collect(run)).rejects.toThrow(UsageError);
    expect(sent).toHaveLength(2);
  });

  it("reports the prefix it generated, under which it can be run again", async () => {
    const { client, sent } = answered(() => accepted());
    const run = client.send.many(texts(3), { channel: "SMS" });
    await collect(run);
    const { keyPrefix } = run;
    await collect(client.send.many(texts(3), { channel: "SMS", keyPrefix }));
    expect(keysOf(sent).slice(3).sort()).toEqual(keysOf(sent).slice(0, 3).sort());
    for (const key of keysOf(sent)) expect(key?.startsWith(`${keyPrefix}-r1-`)).toBe(true);
  });

  it("reports no prefix if a function makes the keys", () => {
    const { client } = answered(() => accepted());
    expect(client.send.many([], { channel: "SMS", idempotencyKey: String }).keyPrefix).toBeUndefined();
  });

  it("can be stopped as soon as a row's credential is refused", async () => {
    const { client, sent } = answered(() => problem(401, "credentials_invalid"));
    for await (const outcome of client.send.many(texts(100), { channel: "SMS", concurrency: 4 })) {
      if (!outcome.ok && outcome.error instanceof AuthenticationError) break;
    }
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  it("ends after an outcome for each started row if its signal is aborted, and says how to resume", async () => {
    const { client, sent } = answered((request) => (toOf(request).endsWith("0") ? accepted() : new Promise(() => {})));
    const controller = new AbortController();
    const reason = new Error("shutting down");
    const { signal } = controller;
    const outcomes: BulkOutcome<object, object>[] = [];
    const loop = async () => {
      for await (const outcome of client.send.many(texts(100), {
        channel: "SMS",
        keyPrefix: "p",
        concurrency: 4,
        signal,
      })) {
        outcomes.push(outcome);
        if (outcome.index === 0) void vi.waitUntil(() => sent.length === 5).then(() => controller.abort(reason));
      }
    };
    const error = await loop().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({
      cause: reason,
      message:
        "The run was stopped by its signal after 5 rows were started. Run the list again under keyPrefix " +
        '"p": none is sent twice.',
    });
    expect(sent).toHaveLength(5);
    expect(outcomes.map(({ index, ok }) => [index, ok])).toEqual([
      [0, true],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
    ]);
    for (const outcome of outcomes.slice(1))
      expect(outcome).toMatchObject({ error: { name: "AbortedError", cause: reason }, meta: { attempts: 1 } });
  });

  it("causes no leak warning, however many calls are in progress", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const { client } = answered(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return accepted();
    });
    const { signal } = new AbortController();
    await collect(client.send.many(texts(300), { channel: "SMS", concurrency: 256, signal }));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("a run", () => {
  const { client } = answered(() => accepted());

  it.each([0, 257, 1.5, Number.NaN, "16"])("is refused at once for a concurrency of %s", (concurrency) => {
    const start = () => client.send.many([], { channel: "SMS", concurrency: concurrency as number });
    expect(start).toThrow(UsageError);
    expect(start).toThrow(`concurrency is ${concurrency}. It must be a whole number from 1 to 256.`);
  });

  it.each([1, 256])("is accepted with a concurrency of %d", async (concurrency) => {
    expect(await collect(client.send.many(texts(3), { channel: "SMS", concurrency }))).toHaveLength(3);
  });

  it.each([
    ["rows that cannot be iterated", () => client.send.many(7 as never, { channel: "SMS" })],
    ["rows that are null", () => client.consent.recordMany(null as never)],
    ["a string in place of rows", () => client.consent.recordMany("rows" as never)],
    ["an unknown channel", () => client.send.many([], { channel: "FAX" as "SMS" })],
    ["a channel that is a member of every object", () => client.send.many([], { channel: "toString" as "SMS" })],
    ["no channel", () => client.send.many([], {} as never)],
    ["an invalid limit", () => client.send.many([], { channel: "SMS", timeoutMs: -1 })],
    ["an invalid prefix", () => client.send.many([], { channel: "SMS", keyPrefix: "ключ" })],
  ])("is refused at once for %s", (_name, start) => {
    expect(start).toThrow(UsageError);
  });
});

describe("a run that is awaited", () => {
  const message =
    "Nothing was sent: client.send.many was awaited, or returned from an async function. Iterate it: " +
    "for await (const outcome of client.send.many(rows, options)) …";

  it.each<[string, (run: PromiseLike<unknown>) => Promise<unknown>]>([
    ["by await", async (run) => void (await run)],
    ["by Promise.resolve", (run) => Promise.resolve(run)],
    ["by an async function that returns it", async (run) => run],
    ["by Promise.all", (run) => Promise.all([run])],
  ])("%s rejects, and says how to iterate it", async (_, waitFor) => {
    const { client, sent } = answered(() => Response.json({}));
    // The compiler refuses it, see bulk.test-d.ts.
    const run = client.send.many(texts(2), { channel: "SMS" }) as unknown as PromiseLike<unknown>;
    await expect(waitFor(run)).rejects.toThrow(new UsageError(message));
    expect(sent).toEqual([]);
  });

  it("names its method", async () => {
    const { client } = answered(() => Response.json({}));
    const run = client.consent.recordMany([]) as unknown as PromiseLike<unknown>;
    await expect(Promise.resolve(run)).rejects.toThrow(/client\.consent\.recordMany was awaited/);
  });

  it("can still be iterated", async () => {
    const { client, sent } = answered(() => Response.json({}));
    const run = client.send.many(texts(2), { channel: "SMS" });
    await Promise.resolve(run as unknown).catch(() => {});
    expect(await collect(run)).toHaveLength(2);
    expect(sent).toHaveLength(2);
  });
});
