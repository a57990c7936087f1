import { AsyncResource } from "node:async_hooks";
import { once } from "node:events";
import https from "node:https";
import { timers } from "@msgctl/server/in-process";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createMockService, type MockService, MockUsageError } from "./index.ts";
import { call, sms } from "./testing/requests.ts";

/** Delays of the service, which end when a test releases them. */
const delays = {
  waiting: [] as (() => void)[],
  sleep: (_ms?: number, _value?: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) =>
    new Promise<never>((resolve, reject) => {
      delays.waiting.push(resolve as () => void);
      signal?.addEventListener("abort", () => reject(signal.reason));
    }),
  passAll() {
    for (const pass of delays.waiting.splice(0)) pass();
  },
};
beforeEach(() => {
  vi.spyOn(timers, "sleep").mockImplementation(delays.sleep);
});

const hourMs = 3_600_000;
const enough = new Error("enough");
const ended = { name: "AbortError", message: "The mock service was reset before this was over" };

let service: MockService;
let start: number;
beforeAll(async () => {
  service = await createMockService();
  start = service.clock.now();
});
afterAll(() => service.close());
afterEach(async () => {
  vi.restoreAllMocks();
  delays.passAll();
  await service.reset();
});

type Init = RequestInit & { via?: typeof fetch; of?: MockService };

function post(path: string, body: unknown, { of = service, via = of.fetch as typeof fetch, ...init }: Init = {}) {
  const credentials = { "x-api-key": of.apiKey, "x-api-secret": of.apiSecret };
  return via(`${of.baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: { ...credentials, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });
}

const send = (init?: Init) => post("messages/sms", sms, init);
const untilDelayed = () => expect.poll(() => delays.waiting).toHaveLength(1);

/** Expects that no earlier call had an effect: the message sent here is the only one. */
async function expectNoOther(): Promise<void> {
  delays.passAll();
  service.delay(0);
  expect((await send()).status).toBe(200);
  expect(await service.messages()).toHaveLength(1);
}

/** A body that never ends. */
function openBody() {
  const cancel = vi.fn();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")), cancel });
  return { cancel, init: { body, duplex: "half" } as RequestInit };
}

/** A handler that never answers, and the time of its first request. */
function keepSilent(of = service): Promise<Request> {
  return new Promise((resolve) => {
    of.onCallback((request) => {
      resolve(request);
      return new Promise(() => {});
    });
  });
}

/** Handles every later callback with `work`. Resolves to the outcome of its first run. */
function handleWith<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    service.onCallback(async () => {
      const outcome = work();
      resolve(outcome);
      await outcome.catch(() => {});
      return undefined;
    });
  });
}

/** Destroys a request once the service has received it. Resolves to the code of the request's error. */
async function destroyed(url: string): Promise<unknown> {
  const asked = https.request(url).end();
  const ended = once(asked, "error");
  await untilDelayed();
  asked.destroy();
  const [{ code }] = await ended;
  return code;
}

const waits: [what: string, wait: () => Promise<void> | void][] = [
  ["the service's delay", () => service.delay(60_000)],
  ["a planned delay", () => service.failNext("sendSms", { latencyMs: 60_000 })],
];

describe("a call whose signal is aborted does nothing, and rejects with the reason", () => {
  it.each(waits)("while %s passes", async (_what, wait) => {
    await wait();
    const abort = new AbortController();
    const sent = send({ signal: abort.signal });
    await untilDelayed();
    abort.abort(enough);
    await expect(sent).rejects.toBe(enough);
    await expectNoOther();
  });

  it("before it is begun", async () => {
    await service.failNext("sendSms", { code: "rate_limited" });
    await expect(send({ signal: AbortSignal.abort(enough) })).rejects.toBe(enough);
    expect((await send()).status).toBe(429);
  });

  it("while its body is read, which is cancelled", async () => {
    const { cancel, init } = openBody();
    const abort = new AbortController();
    const sent = send({ ...init, signal: abort.signal });
    abort.abort(enough);
    await expect(sent).rejects.toBe(enough);
    await expect.poll(() => cancel.mock.calls).toEqual([[enough]]);
    await expectNoOther();
  });

  it("through msw", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const server = setupServer(...service.handlers);
    server.listen();
    try {
      service.delay(60_000);
      const abort = new AbortController();
      const sent = send({ signal: abort.signal, via: fetch });
      await untilDelayed();
      abort.abort(enough);
      await expect(sent).rejects.toBe(enough);
      await expectNoOther();
    } finally {
      server.close();
    }
    expect(error).not.toHaveBeenCalled();
  });
});

describe("a call begun before a reset ends with it", () => {
  it.each(waits)("while %s passes", async (_what, wait) => {
    await wait();
    const sent = expect(send()).rejects.toMatchObject(ended);
    await untilDelayed();
    await service.reset();
    await sent;
    await expectNoOther();
  });

  it("while its body is read", async () => {
    const { cancel, init } = openBody();
    const sent = expect(send(init)).rejects.toMatchObject(ended);
    await service.reset();
    await sent;
    await expect.poll(() => cancel.mock.calls).toEqual([[expect.objectContaining(ended)]]);
  });

  it("and leaves the remaining planned failures to later calls", async () => {
    const sent = expect(send()).rejects.toMatchObject(ended);
    await service.reset();
    await service.failNext("sendSms", { code: "rate_limited" });
    await sent;
    expect((await send()).status).toBe(429);
    await expectNoOther();
  });

  it("through msw as if there were no network", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const server = setupServer(...service.handlers);
    server.listen();
    try {
      service.delay(60_000);
      const sent = expect(send({ via: fetch })).rejects.toThrow(TypeError);
      await untilDelayed();
      await service.reset();
      await sent;
      await expectNoOther();
    } finally {
      server.close();
    }
    expect(error).not.toHaveBeenCalled();
  });
});

describe("moves of the clock", () => {
  it("run one after the other if requested at once, and add up", async () => {
    const { advance, settle } = service.clock;
    await Promise.all([advance(1_500), advance("2s"), settle(), advance(1_500)]);
    expect(service.clock.now() - start).toBe(5_000);
  });

  it("end with a reset, whether or not they have begun", async () => {
    const asked = keepSilent();
    await post("voice/tts-calls", call);
    const moves = [service.clock.advance("366d"), service.clock.advance(hourMs)];
    const rejected = Promise.all(moves.map((move) => expect(move).rejects.toMatchObject(ended)));
    const { signal } = await asked;
    await service.reset();
    await rejected;
    expect(signal.aborted).toBe(true);
    expect(service.clock.now()).toBe(start);
    expect(await service.callbacks()).toEqual([]);
    await service.clock.advance("1h");
    expect(service.clock.now() - start).toBe(hourMs);
  });

  it.each<[what: string, move: () => Promise<void>]>([
    ["clock.advance", () => service.clock.advance("1h")],
    ["clock.settle", () => service.clock.settle()],
    ["seed", () => service.seed()],
  ])("are refused inside a handler, because they would wait for the handler: %s", async (what, move) => {
    const moved = handleWith(move);
    const refused = expect(moved).rejects.toThrow(`service.${what}: expected outside of an onCallback handler`);
    await post("voice/tts-calls", call);
    await service.clock.advance("1h");
    await refused;
    await expect(moved).rejects.toThrow(MockUsageError);
    expect(service.clock.now() - start).toBe(hourMs);
  });

  it("are accepted from work that a handler started, once the handler has answered", async () => {
    let later: (() => Promise<void>) | undefined;
    const handled = handleWith(async () => {
      later = AsyncResource.bind(() => service.clock.advance("1h"));
    });
    await post("voice/tts-calls", call);
    await service.clock.settle();
    await handled;
    await later?.();
    expect(service.clock.now() - start).toBe(hourMs);
  });
});

describe("a reset", () => {
  it("inside a handler releases the handler, and ends the move that waits for the handler", async () => {
    const reset = handleWith(() => service.reset());
    await post("voice/tts-calls", call);
    await expect(service.clock.advance("72h")).rejects.toMatchObject(ended);
    await reset;
    expect(service.clock.now()).toBe(start);
    expect(await service.messages()).toEqual([]);
  });

  it("waits for a reset that is in progress", async () => {
    await Promise.all([service.reset(), service.reset()]);
    await expectNoOther();
  });

  it("precedes later requests even if it is not awaited", async () => {
    const shop = { merchantId: "shop", displayName: "Shop", active: true, smsLimit: 1 };
    const reset = service.reset();
    const later = [
      service.seed({ merchants: [shop] }),
      service.clock.advance("1h"),
      service.failNext("sendSms", { code: "rate_limited" }),
      service.issue(),
    ];
    expect((await send()).status).toBe(429);
    expect(await service.messages()).toEqual([]);
    await Promise.all([reset, ...later]);
    expect(service.clock.now() - start).toBe(hourMs);
    await service.issue({ merchantId: "shop" });
    await expectNoOther();
  });

  it("sends a new handler no callback from before the reset", async () => {
    const asked = keepSilent();
    await post("voice/tts-calls", call);
    const moved = expect(service.clock.advance("72h")).rejects.toMatchObject(ended);
    await asked;
    await post("voice/tts-calls", { ...call, messageText: "Your code is 5678" });
    const handled = vi.fn(() => undefined);
    const reset = service.reset();
    service.onCallback(handled);
    await Promise.all([moved, reset]);
    expect(handled).not.toHaveBeenCalled();
    await post("voice/tts-calls", call);
    await service.clock.advance("1h");
    expect(handled).toHaveBeenCalled();
  });
});

describe("a handler that never answers", () => {
  /**
   * Returns the lines printed while a call's callbacks are posted over 90 hours. For each attempt `silenceOf` returns for how
   * many milliseconds the handler does not answer; 0 if it answers.
   */
  async function linesOf(silenceOf: (attempt: number) => number): Promise<unknown[]> {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    let attempts = 0;
    service.onCallback(() => {
      attempts += 1;
      const silenceMs = silenceOf(attempts);
      if (silenceMs === 0) return undefined;
      queueMicrotask(() => vi.advanceTimersByTime(silenceMs));
      return new Promise(() => {});
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const spies = (["setTimeout", "clearTimeout"] as const).map((name) =>
      vi.spyOn(timers, name).mockImplementation(globalThis[name] as never),
    );
    try {
      await post("voice/tts-calls", call);
      await service.clock.advance("90h");
    } finally {
      for (const spy of spies) spy.mockRestore();
      vi.useRealTimers();
    }
    expect(attempts).toBeGreaterThan(3);
    return error.mock.calls.map(([line]) => line);
  }

  const line =
    "@msgctl/mocks: a callback to https://shop.example/hooks was not answered within 15 s. Its handler has 250 ms from now on, until it answers.";

  it("delays a move for 15 s once, and then only briefly, so that a move over days takes seconds", async () => {
    expect(await linesOf((attempt) => (attempt === 1 ? 15_000 : 250))).toEqual([line]);
    expect((await service.callbacks()).map(({ lastOutcome }) => lastOutcome)).toContain("timeout");
  });

  it("delays a move for 15 s again once it has answered", async () => {
    expect(await linesOf((attempt) => [0, 15_000, 250, 0, 15_000][attempt] ?? 0)).toEqual([line, line]);
  });
});

describe("the end of a service", () => {
  it.each([
    ["the service's delay", (of: MockService) => of.delay(60_000)],
    ["a planned delay", (of: MockService) => of.failNext("sendSms", { latencyMs: 60_000 })],
  ])("ends a call during %s", async (_what, wait) => {
    const own = await createMockService();
    await wait(own);
    const sent = expect(send({ of: own })).rejects.toThrow("The mock service is closed");
    await untilDelayed();
    await own.close();
    await sent;
  });

  it.each([
    ["fetch", (url: string) => fetch(url).then(String, ({ name }: Error) => name), "TypeError"],
    ["node:https, which does not report the abort to a handler", destroyed, "ECONNRESET"],
  ] as const)("is a network error for a call that msw intercepts, and prints nothing: %s", async (_what, ask, end) => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const own = await createMockService();
    const server = setupServer(...own.handlers);
    server.listen();
    try {
      own.delay(60_000);
      const ended = ask(`${own.baseUrl}/api/v1/merchants`);
      await untilDelayed();
      await own.close();
      expect(await ended).toBe(end);
      await new Promise(setImmediate);
    } finally {
      server.close();
    }
    expect(error).not.toHaveBeenCalled();
  });

  it("is reported in one line if msw intercepts a call after it", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const own = await createMockService();
    const server = setupServer(...own.handlers);
    server.listen();
    try {
      await own.close();
      await expect(send({ of: own, via: fetch })).rejects.toThrow(TypeError);
    } finally {
      server.close();
    }
    const line = `@msgctl/mocks: POST ${own.baseUrl}/api/v1/messages/sms: The mock service is closed: create another with createMockService()`;
    expect(error.mock.calls).toEqual([[line]]);
  });

  it("happens at once inside a handler, and ends the move that waits for the handler", async () => {
    const own = await createMockService();
    const closed = new Promise<boolean>((resolve) => {
      own.onCallback(async ({ signal }) => {
        const end = own.close();
        const isLetGo = signal.aborted;
        await end;
        resolve(isLetGo);
        return undefined;
      });
    });
    await post("voice/tts-calls", call, { of: own });
    await expect(own.clock.advance("1h")).rejects.toThrow("The mock service is closed");
    expect(await closed).toBe(true);
  });

  it("ends a reset and a seed that were requested before it, unless they have finished", async () => {
    const own = await createMockService();
    const asked = Promise.allSettled([own.clock.advance("366d"), own.seed(), own.reset(), own.seed()]);
    await own.close();
    const reasons = (await asked).flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(reasons.filter((reason) => !/The mock service (?:is closed|was reset)/.test(reason))).toEqual([]);
    expect(reasons[0]).toContain("was reset");
  });

  it("happens once, however often it is requested", async () => {
    const own = await createMockService();
    await Promise.all([own.close(), own.close(), own[Symbol.asyncDispose]()]);
    await own.close();
  });

  it.each<[what: string, ask: (of: MockService) => unknown]>([
    ["a call", (of) => send({ of })],
    ["clock.advance", ({ clock }) => clock.advance("1h")],
    ["clock.settle", ({ clock }) => clock.settle()],
    ["reset", (of) => of.reset()],
    ["seed", (of) => of.seed()],
    ["issue", (of) => of.issue()],
    ["messages", (of) => of.messages()],
    ["callbacks", (of) => of.callbacks()],
    ["failNext", (of) => of.failNext("sendSms", { code: "rate_limited" })],
    ["delay", async (of) => of.delay(0)],
    ["onCallback", async (of) => of.onCallback(() => undefined)],
  ])("is reported by every later call: %s", async (_what, ask) => {
    const own = await createMockService();
    const [now, forget] = [own.clock.now(), own.onCallback(() => undefined)];
    await own.close();
    const refused = expect(ask(own)).rejects;
    await refused.toThrow(/^The mock service is closed: create another with createMockService\(\)$/);
    await refused.toBeInstanceOf(MockUsageError);
    expect(own.clock.now()).toBe(now);
    forget();
  });

  it("happens whatever a handler does, and ends everything that waits for the handler", async () => {
    const own = await createMockService();
    const asked = keepSilent(own);
    await post("voice/tts-calls", call, { of: own });
    const moved = expect(own.clock.advance("1h")).rejects.toThrow("The mock service is closed");
    await asked;
    await own.close();
    await moved;
  });
});
