import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { type CallbackRow, enqueueCallback, listCallbacks } from "../../domain/callbacks/rows.ts";
import { readCallbackSecrets, rotateCallbackSecret } from "../../domain/callbacks/secrets.ts";
import { createTenant } from "../../domain/tenancy/tenants.ts";
import { systemRandomness } from "../../platform/randomness.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "../../platform/secret-box.ts";
import type { NoteCommit, Store } from "../../store/store.ts";
import { useRealTimers } from "../../testing/fake-timers.ts";
import { type Answer, answering, openReceiver, type Receiver } from "../../testing/receivers.ts";
import { makeSelfSignedCertificate } from "../../testing/self-signed-certificate.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { type CallbackDispatcher, type CallbackDispatcherOptions, createCallbackDispatcher } from "./dispatcher.ts";
import { createPoster } from "./post.ts";

const startMs = Date.UTC(2026, 0, 15, 12);
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const box = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "for tests only")]);

interface World {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly tenantId: number;
  readonly logged: string[];
  /** Counters, such as `callbacks FAILED` and `callback-attempt 5xx`. */
  readonly counted: Record<string, number>;
  receiver(answer: Answer, tls?: { key: string; cert: string }): Promise<Receiver>;
  dispatcher(options?: Partial<CallbackDispatcherOptions> & { timeoutMs?: number; ca?: string }): CallbackDispatcher;
  /** Enqueues a callback. Each belongs to a new call unless `requestId` is set. */
  enqueue(url: string, data?: object, of?: { tenantId?: number; requestId?: number }): Promise<void>;
  /** Lists the callbacks, newest first. */
  list(): Promise<CallbackRow[]>;
  only(): Promise<CallbackRow>;
}

/** Polls with a timeout that suffices on a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look);

const toClose: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  useRealTimers();
  for (const close of toClose.splice(0).reverse()) await close();
});

async function createWorld(): Promise<World> {
  const clock = createVirtualClock(startMs);
  const counted: Record<string, number> = {};
  const noteCommit: NoteCommit = (_units, _ms, occurrences) => {
    for (const { kind, ...of } of occurrences) {
      const { count = 1, ...words } = { ...of } as { count?: number };
      const name = [kind, ...Object.values(words)].join(" ");
      counted[name] = (counted[name] ?? 0) + count;
    }
  };
  const store = await openTestStore({ now: clock.now, noteCommit });
  toClose.push(() => store.close());
  const tenant = await store.write((tx) => createTenant(tx, { name: "Acme", timezone: "UTC", now: startMs }));
  const logged: string[] = [];
  let enqueued = 1_000;
  const log = (details: object, text: string) => logged.push(`${text} ${JSON.stringify(details)}`);
  const list = () => store.read((tx) => listCallbacks(tx, { limit: 1_000 }));
  return {
    store,
    clock,
    tenantId: tenant.tenantId,
    logged,
    counted,
    async receiver(answer, tls) {
      const receiver = await openReceiver(answer, tls);
      toClose.push(receiver.close);
      return receiver;
    },
    dispatcher({ timeoutMs = 5_000, ca, ...options } = {}) {
      const dispatcher = createCallbackDispatcher({
        store,
        clock,
        logger: { warn: log, error: log },
        poster: createPoster({ reach: "private", timeoutMs, ...(ca === undefined ? {} : { ca }) }),
        readSecrets: (tx, owner) => readCallbackSecrets(tx, box, owner),
        randomness: { ...systemRandomness, fraction: () => 0 },
        drainMs: 50,
        ...options,
      });
      clock.watch(() => dispatcher.isBusy());
      toClose.push(() => dispatcher.stop());
      return dispatcher;
    },
    enqueue(url, data = { requestId: 7 }, { tenantId = tenant.tenantId, requestId } = {}) {
      enqueued += 1;
      const of = { tenantId, requestId: requestId ?? enqueued, url };
      return store.write((tx) =>
        enqueueCallback(tx, { ...of, type: "voice.tts_call.updated", data, now: clock.now() }),
      );
    },
    list,
    async only() {
      const [callback, ...others] = await list();
      expect(others).toEqual([]);
      if (callback === undefined) throw new Error("there is no callback");
      return callback;
    },
  };
}

describe("a callback that succeeds", () => {
  it("is posted once, signed, as documented", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(200));
    await world.enqueue(receiver.url, { requestId: 7, status: "DIALING" });
    await world.dispatcher().start();
    await world.clock.advanceBy(72 * hourMs);

    const [received, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(JSON.parse(received?.body ?? "")).toEqual({
      type: "voice.tts_call.updated",
      timestamp: "2026-01-15T12:00:00.000Z",
      data: { requestId: 7, status: "DIALING" },
    });
    const callback = await world.only();
    expect(received?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": callback.id,
      "webhook-timestamp": String(startMs / 1_000),
    });
    const [secret = ""] = await world.store.write((tx) =>
      readCallbackSecrets(tx, box, { tenantId: world.tenantId, now: world.clock.now() }),
    );
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const signed = `${callback.id}.${startMs / 1_000}.${received?.body}`;
    expect(received?.headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
    );
    expect(callback).toMatchObject({ status: "DELIVERED", attempts: 1, nextAttemptAt: null, body: received?.body });
  });

  it("is signed with both secrets while they overlap, then only with the newer", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(200));
    const owner = { tenantId: world.tenantId, now: startMs };
    await world.store.write((tx) => readCallbackSecrets(tx, box, owner));
    await world.store.write((tx) => rotateCallbackSecret(tx, box, { ...owner, overlapMs: 24 * hourMs }));
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    for (const advanceMs of [0, 24 * hourMs]) {
      await world.clock.advanceBy(advanceMs);
      await world.enqueue(receiver.url);
      dispatcher.notify();
      await world.clock.settle();
    }
    const counts = receiver.received.map(({ headers }) => String(headers["webhook-signature"]).split(" ").length);
    expect(counts).toEqual([2, 1]);
  });

  it("keeps its webhook-id for all attempts, each with its own timestamp", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(500, 503, 200));
    await world.enqueue(receiver.url);
    await world.enqueue(receiver.url);
    await world.dispatcher({ perReceiver: 1 }).start();
    await world.clock.advanceBy(hourMs);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2);
    const [first] = ids;
    const times = receiver.received
      .filter(({ headers }) => headers["webhook-id"] === first)
      .map(({ headers }) => headers);
    const seconds = times.map((headers) => Number(headers["webhook-timestamp"]) - startMs / 1_000);
    expect(seconds).toEqual([0, 5]);
  });
});

describe("a callback that fails", () => {
  it("is tried ten times at the documented intervals, then given up", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(500));
    await world.enqueue(receiver.url);
    await world.dispatcher().start();
    await world.clock.advanceBy(30 * 24 * hourMs);
    const seconds = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]) - startMs / 1_000);
    const waits = seconds.map((second, index) => second - (seconds[index - 1] ?? 0));
    expect(waits).toEqual([0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await world.only()).toMatchObject({ status: "FAILED", attempts: 10, nextAttemptAt: null });
    expect(world.counted).toEqual({ "callback-attempt 5xx": 10, "callbacks FAILED": 1 });
  });

  it.each([302, 404, 410, 500, 502, 503])("is logged with its receiver and the status %i", async (status) => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(status));
    const taking = await world.receiver(answering(204));
    await world.enqueue(receiver.url);
    await world.enqueue(taking.url);
    await world.dispatcher().start();
    await world.clock.settle();
    expect(world.logged).toHaveLength(1);
    const [line = ""] = world.logged;
    const { tenantId } = world;
    expect(line).toContain("a callback was not accepted");
    expect(JSON.parse(line.slice(line.indexOf("{")))).toMatchObject({
      ...{ tenantId, receiver: new URL(receiver.url).hostname, attempt: 1, outcome: String(status) },
    });
    expect(line).not.toContain("/hook");
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect with the status %i", async (status) => {
    const world = await createWorld();
    const elsewhere = await world.receiver(answering(200));
    const receiver = await world.receiver((response) => response.writeHead(status, { location: elsewhere.url }).end());
    await world.enqueue(receiver.url);
    await world.dispatcher().start();
    await world.clock.advanceBy(secondMs);
    expect(elsewhere.received).toEqual([]);
    expect(await world.only()).toMatchObject({ status: "PENDING", attempts: 1, nextAttemptAt: startMs + 5 * secondMs });
    expect(world.counted).toEqual({ "callback-attempt 3xx": 1 });
  });

  it("is given up at 410, with all of the tenant's callbacks for that URL", async () => {
    const world = await createWorld();
    const receiver = await world.receiver((response, index) => response.writeHead(index === 0 ? 410 : 200).end());
    const stranger = await world.store.write((tx) => createTenant(tx, { name: "Bolt", timezone: "UTC", now: startMs }));
    await world.enqueue(receiver.url, { requestId: 1 });
    await world.enqueue(receiver.url, { requestId: 2 });
    await world.enqueue(`${receiver.url}/other`, { requestId: 3 });
    await world.enqueue(receiver.url, { requestId: 4 }, { tenantId: stranger.tenantId });
    await world.dispatcher({ perReceiver: 1 }).start();
    await world.clock.advanceBy(72 * hourMs);
    const requests = receiver.received.map(({ body }) => JSON.parse(body).data.requestId);
    expect(requests.sort()).toEqual([1, 3, 4]);
    const statuses = (await world.list()).map(({ status, attempts }) => `${status} ${attempts}`).reverse();
    expect(statuses).toEqual(["FAILED 1", "FAILED 0", "DELIVERED 1", "DELIVERED 1"]);
    const ends = { "callbacks FAILED": 2, "callbacks DELIVERED": 2 };
    expect(world.counted).toEqual({ "callback-attempt 4xx": 1, "callback-attempt 2xx": 2, ...ends });
  });

  it("waits as long as Retry-After asks", async () => {
    const world = await createWorld();
    const receiver = await world.receiver((response, index) => {
      if (index === 0) response.writeHead(429, { "retry-after": "90" }).end();
      else response.writeHead(200).end();
    });
    await world.enqueue(receiver.url);
    await world.dispatcher().start();
    await world.clock.advanceBy(89 * secondMs);
    expect(await world.only()).toMatchObject({ attempts: 1, nextAttemptAt: startMs + 90 * secondMs });
    await world.clock.advanceBy(secondMs);
    expect(await world.only()).toMatchObject({ status: "DELIVERED", attempts: 2 });
  });

  const cuts: [string, Answer, string][] = [
    ["never answers", () => {}, "timeout"],
    ["trickles headers", (response) => response.writeProcessing(), "timeout"],
    ["cuts the connection", (response) => response.destroy(), "unreachable"],
    ["does not answer with HTTP", (response) => response.socket?.end("nonsense\r\n\r\n"), "unreachable"],
    ["invents a status", (response) => response.writeHead(999).end(), "other"],
  ];
  it.each(cuts)("is retried if the receiver %s", async (_what, answer, result) => {
    const world = await createWorld();
    const receiver = await world.receiver(answer);
    await world.enqueue(receiver.url);
    await world.dispatcher({ timeoutMs: 2 * secondMs }).start();
    await world.clock.advanceBy(secondMs);
    expect(receiver.received).toHaveLength(1);
    expect(await world.only()).toMatchObject({ status: "PENDING", attempts: 1 });
    expect(world.counted).toEqual({ [`callback-attempt ${result}`]: 1 });
  });

  it("is retried if nothing listens at its URL", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(200));
    await receiver.close();
    await world.enqueue(receiver.url);
    await world.dispatcher().start();
    await world.clock.advanceBy(secondMs);
    expect(await world.only()).toMatchObject({ status: "PENDING", attempts: 1 });
    expect(world.counted).toEqual({ "callback-attempt unreachable": 1 });
    expect(world.logged.join()).toContain("ECONNREFUSED");
    expect(world.logged.join()).not.toContain("/hook");
  });
});

describe("a receiver's certificate", () => {
  const own = makeSelfSignedCertificate();
  const other = makeSelfSignedCertificate();
  const expired = makeSelfSignedCertificate({ validFromMs: -48 * hourMs });

  it("is accepted if it is trusted", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(200), own);
    expect(receiver.url).toMatch(/^https:/);
    await world.enqueue(receiver.url);
    await world.dispatcher({ ca: own.cert }).start();
    await world.clock.advanceBy(secondMs);
    expect(receiver.received).toHaveLength(1);
    expect(await world.only()).toMatchObject({ status: "DELIVERED", attempts: 1, lastOutcome: "200" });
  });

  it.each([
    ["from no trusted authority", own, undefined, "127.0.0.1", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["from a different authority", own, other, "127.0.0.1", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["for a different name", own, own, "localhost", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["expired", expired, expired, "127.0.0.1", "CERT_HAS_EXPIRED"],
  ])(
    "is rejected if it is %s: nothing is posted, and the fault is stored",
    async (_what, certificate, trusted, name, fault) => {
      const world = await createWorld();
      const receiver = await world.receiver(answering(200), certificate);
      await world.enqueue(receiver.url.replace("127.0.0.1", name));
      await world.dispatcher(trusted === undefined ? {} : { ca: trusted.cert }).start();
      await world.clock.advanceBy(secondMs);
      expect(receiver.received).toEqual([]);
      expect(await world.only()).toMatchObject({
        status: "PENDING",
        attempts: 1,
        lastOutcome: fault,
        nextAttemptAt: startMs + 5 * secondMs,
      });
      expect(world.logged.join()).toContain(fault);
    },
  );
});

describe("a receiver that is slow", () => {
  it("gets a limited number of requests, and does not delay other receivers", async () => {
    const world = await createWorld();
    const slow = await world.receiver(() => {});
    const quick = await world.receiver(answering(200));
    // a receiver is a host name with any port, so localhost and 127.0.0.1 are two receivers
    for (let count = 0; count < 50; count += 1) await world.enqueue(slow.url.replace("127.0.0.1", "localhost"));
    for (let count = 0; count < 50; count += 1) await world.enqueue(quick.url);
    const dispatcher = world.dispatcher({ perReceiver: 8, concurrency: 16, timeoutMs: 60_000, drainMs: 0 });
    await dispatcher.start();
    await eventually(() => quick.received.length).toBe(50);
    await eventually(() => slow.received.length).toBe(4);
    expect(quick.mostOpen).toBeLessThanOrEqual(4);
    await dispatcher.stop();
    expect(slow.mostOpen).toBe(4);
    const waiting = (await world.list()).filter(({ status }) => status === "PENDING");
    expect(waiting).toHaveLength(50);
  });
});

describe("callbacks of one call", () => {
  /** Creates a receiver that answers its oldest open request when `next` is called. */
  function atLeisure(): { answer: Answer; next: (status?: number) => void } {
    const open: Parameters<Answer>[0][] = [];
    return {
      answer: (response) => open.push(response),
      next: (status = 200) => open.shift()?.writeHead(status).end(),
    };
  }
  const steps = (receiver: Receiver) => receiver.received.map(({ body }) => JSON.parse(body).data.step);

  it("are posted one after another, in parallel with other calls' callbacks", async () => {
    const world = await createWorld();
    const { answer, next } = atLeisure();
    const receiver = await world.receiver(answer);
    for (const step of [1, 2, 3]) await world.enqueue(receiver.url, { step }, { requestId: 1 });
    await world.enqueue(receiver.url, { step: "other" }, { requestId: 2 });
    const dispatchers = [world.dispatcher({ timeoutMs: 60_000 }), world.dispatcher({ timeoutMs: 60_000 })];
    for (const dispatcher of dispatchers) await dispatcher.start();
    await eventually(() => steps(receiver)).toEqual([1, "other"]);
    // another claim finds no callback that may be posted
    for (const dispatcher of dispatchers) dispatcher.notify();
    await world.store.write(async () => {});
    next();
    await eventually(() => steps(receiver)).toEqual([1, "other", 2]);
    next();
    next();
    await eventually(() => steps(receiver)).toEqual([1, "other", 2, 3]);
    expect(receiver.mostOpen).toBe(2);
    next();
    await world.clock.settle();
    expect((await world.list()).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array.from({ length: 4 }, () => "DELIVERED 1"),
    );
  });

  it("continue while a failed callback waits; once due, its retry goes first", async () => {
    const world = await createWorld();
    const { answer, next } = atLeisure();
    const receiver = await world.receiver(answer);
    for (const step of [1, 2]) await world.enqueue(receiver.url, { step }, { requestId: 1 });
    const dispatcher = world.dispatcher({ timeoutMs: 60_000 });
    await dispatcher.start();
    await eventually(() => steps(receiver)).toEqual([1]);
    next(500);
    await eventually(() => steps(receiver)).toEqual([1, 2]);
    next();
    await world.clock.settle();
    expect((await world.list()).map(({ status }) => status)).toEqual(["DELIVERED", "PENDING"]);

    await dispatcher.stop();
    await world.clock.advanceBy(5 * secondMs);
    await world.enqueue(receiver.url, { step: 3 }, { requestId: 1 });
    await world.dispatcher({ timeoutMs: 60_000 }).start();
    await eventually(() => steps(receiver)).toEqual([1, 2, 1]);
    next();
    await eventually(() => steps(receiver)).toEqual([1, 2, 1, 3]);
    next();
    await world.clock.settle();
    expect((await world.list()).every(({ status }) => status === "DELIVERED")).toBe(true);
  });
});

describe("a shared store", () => {
  it("lets two dispatchers post each callback once", async () => {
    const world = await createWorld();
    const receivers = [await world.receiver(answering(200)), await world.receiver(answering(200))];
    for (let count = 0; count < 100; count += 1) await world.enqueue(receivers[count % 2]?.url ?? "");
    await Promise.all([world.dispatcher().start(), world.dispatcher().start()]);
    await world.clock.advanceBy(hourMs);
    const ids = receivers.flatMap(({ received }) => received.map(({ headers }) => headers["webhook-id"]));
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  it("hands a dead dispatcher's callbacks to another dispatcher when the leases end", async () => {
    const world = await createWorld();
    const receiver = await world.receiver((response, index) => {
      if (index > 0) response.writeHead(200).end();
    });
    await world.enqueue(receiver.url);
    const dead = world.dispatcher({ timeoutMs: 60_000 });
    await dead.start();
    await eventually(() => receiver.received.length).toBe(1);
    // a second process that knows nothing of the first, with a clock that is past the lease
    const elsewhere = createVirtualClock(startMs + 31 * secondMs);
    const heir = world.dispatcher({ clock: elsewhere });
    await heir.start();
    await eventually(() => world.only()).toMatchObject({ status: "DELIVERED", attempts: 1 });
    await heir.stop();
  });
});

describe("stopping", () => {
  it("waits for a limited time, and leaves unfinished attempts for the next start", async () => {
    const world = await createWorld();
    const receiver = await world.receiver((response, index) => {
      if (index > 0) response.writeHead(200).end();
    });
    await world.enqueue(receiver.url);
    const dispatcher = world.dispatcher({ timeoutMs: 60_000, drainMs: 50 });
    await dispatcher.start();
    await eventually(() => receiver.received.length).toBe(1);
    await dispatcher.stop();
    expect(dispatcher.isBusy()).toBe(false);
    const waiting = { status: "PENDING", attempts: 0, nextAttemptAt: startMs, lastOutcome: "interrupted" };
    expect(await world.only()).toMatchObject(waiting);
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.only()).toMatchObject({ status: "DELIVERED", attempts: 1 });
    const attempts = { "callback-attempt interrupted": 1, "callback-attempt 2xx": 1 };
    expect(world.counted).toEqual({ ...attempts, "callbacks DELIVERED": 1 });
  });
});

describe("secrets", () => {
  it("that cannot be opened delay only their own tenant, and are not logged", async () => {
    const world = await createWorld();
    const receiver = await world.receiver(answering(200));
    const stranger = await world.store.write((tx) => createTenant(tx, { name: "Bolt", timezone: "UTC", now: startMs }));
    const foreign = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "another")]);
    await world.store.write((tx) => readCallbackSecrets(tx, foreign, { tenantId: world.tenantId, now: startMs }));
    await world.enqueue(receiver.url, { requestId: 1 });
    await world.enqueue(receiver.url, { requestId: 2 }, { tenantId: stranger.tenantId });
    await world.dispatcher().start();
    await world.clock.advanceBy(secondMs);
    const requests = receiver.received.map(({ body }) => JSON.parse(body).data.requestId);
    expect(requests).toEqual([2]);
    const statuses = (await world.list()).map(({ status }) => status);
    expect(statuses).toEqual(["DELIVERED", "PENDING"]);
    expect(world.logged.join()).toContain("cannot be signed");
    expect(world.logged.join()).not.toContain("whsec_");

    const owner = { tenantId: world.tenantId, now: world.clock.now() };
    await world.store.write((tx) => rotateCallbackSecret(tx, box, { ...owner, overlapMs: hourMs }));
    await world.clock.advanceBy(minuteMs);
    expect((await world.list()).map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED"]);
  });
});
