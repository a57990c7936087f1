import { openInProcessService, timers, UnknownMerchantError } from "@msgctl/server/in-process";
import { HttpResponse, http, type RequestHandler } from "msw";
import { createCallbackReceiver } from "./callback-receiver.ts";
import { createControl } from "./control.ts";
import { createInProcessFetch, type Refusal } from "./in-process-fetch.ts";
import { describeMistakes } from "./mistakes.ts";
import { checkOptions, requireFields } from "./mock-options.ts";
import type { MockCallback, MockMessage, MockSeed, MockService, MockServiceOptions } from "./mock-service.ts";
import { UnderWay } from "./under-way.ts";
import { refuseUnhandled } from "./unhandled-request.ts";
import { explainUnanswered } from "./unmocked-request.ts";
import { MockMistakeError, MockUsageError } from "./usage-error.ts";

const LONGEST_DELAY_MS = 60_000;

const printWarning = (line: string) => console.warn(line);
const printError = (line: string) => console.error(line);

/**
 * Opens the whole service in this process, in memory, with no port and no network. Rejects with a `MockUsageError` for
 * an invalid option.
 */
export async function createMockService(options: MockServiceOptions = {}): Promise<MockService> {
  const { baseUrl: given = "https://api.msgctl.example", seed: first, onMistake = "warn", ...settings } = options;
  checkOptions(options);
  const baseUrl = new URL(given).origin;
  const receiver = createCallbackReceiver(printError);
  const service = await openInProcessService({
    ...{ ...settings, isDevelopment: true, poster: receiver.poster },
    ...{ log: (line) => printError(line.trimEnd()), logLevel: "error" },
  });
  const control = createControl(service);
  const { credential, clock } = service;
  const underWay = new UnderWay();
  let latencyMs = 0;
  let lastWork: Promise<unknown> = Promise.resolve();
  /** The last requested reset, seed, planned failure or key, until it is done. Later calls wait for it. */
  let preparing: Promise<unknown> | undefined;
  let movesPending = 0;
  let closing: Promise<void> | undefined;

  const seedFirst = async () => {
    if (first !== null) await control("POST", "seed", { asked: "seed", body: first });
  };
  const close = () => {
    if (receiver.isHandling()) receiver.interrupt();
    // otherwise calls that are still waiting would never be answered
    closing ??= service.close().finally(() => underWay.end(endedCall()));
    return closing;
  };

  /** Runs moves of the clock, seeds and resets one after the other. */
  function oneByOne<T>(work: () => Promise<T>): Promise<T> {
    requireOpen();
    const result = lastWork.then(() => whileOpen(work));
    lastWork = result.catch(() => {});
    return result;
  }

  /** Runs `work` after all preparations requested earlier, even if the test did not await them. */
  async function afterPreparation<T>(work: () => Promise<T>): Promise<T> {
    requireOpen();
    await preparing;
    return whileOpen(work);
  }

  /** Makes later requests wait for `work`. */
  function prepare<T>(work: Promise<T>): Promise<T> {
    const end = () => {
      if (preparing === ended) preparing = undefined;
    };
    const ended = work.then(end, end);
    preparing = ended;
    return work;
  }

  /** Runs `work`. If the service is closed meanwhile, the error says so. */
  async function whileOpen<T>(work: () => Promise<T>): Promise<T> {
    requireOpen();
    try {
      return await work();
    } catch (error) {
      requireOpen();
      throw error;
    }
  }

  function move(asked: string, by: string | number): Promise<void> {
    requireOpen();
    requireNoHandler(asked);
    movesPending += 1;
    return underWay
      .run((signal) =>
        oneByOne(async () => {
          signal.throwIfAborted();
          await control("POST", "clock", { asked, body: toMove(clock.now(), by), signal });
        }),
      )
      .finally(() => {
        movesPending -= 1;
      });
  }

  async function seed(data?: MockSeed): Promise<void> {
    requireOpen();
    requireNoHandler("seed");
    const result = oneByOne(() => control<void>("POST", "seed", { asked: "seed", body: data }));
    // while a move of the clock is pending, requests must not wait for the seed: the move may be waiting for one of them
    await (movesPending === 0 ? prepare(result) : result);
  }

  function reset(): Promise<void> {
    requireOpen();
    underWay.end(new DOMException("The mock service was reset before this was over", "AbortError"));
    latencyMs = 0;
    const earlier = preparing;
    const result = oneByOne(async () => {
      await earlier;
      await control("POST", "reset", { asked: "reset" });
      await seedFirst();
    });
    receiver.forget(result);
    return prepare(result);
  }

  function requireNoHandler(asked: string): void {
    if (!receiver.isHandling()) return;
    throw new MockUsageError(
      `service.${asked}: expected outside of an onCallback handler, which it would wait for; call it once the handler has answered.`,
    );
  }

  function requireOpen(): void {
    if (closing !== undefined) throw closedError();
  }

  function before(signal: AbortSignal): Promise<void> | undefined {
    if (closing !== undefined) throw endedCall();
    return latencyMs === 0 && preparing === undefined ? undefined : wait(latencyMs, signal);
  }

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    await preparing;
    if (ms > 0) await timers.sleep(ms, undefined, { signal });
  }

  function onRefusal(refusal: Refusal): void {
    if (onMistake === "silent") return;
    const lines = describeMistakes(refusal);
    for (const line of lines) (onMistake === "error" ? printError : printWarning)(line);
    if (onMistake === "error" && lines.length > 0) throw new MockMistakeError(lines.join("\n"));
  }

  const exchange: typeof service.exchange = async (request) => {
    if (closing !== undefined) throw endedCall();
    return service.exchange(request);
  };
  const fetch = createInProcessFetch({ exchange }, { baseUrl, underWay, before, onRefusal });
  const createHandler = () =>
    http.all(`${baseUrl}/api/v1/*`, async ({ request }) => {
      if (closing !== undefined) {
        printError(`@msgctl/mocks: ${request.method} ${request.url}: ${closedError().message}`);
        return HttpResponse.error();
      }
      try {
        return await fetch(request);
      } catch (error) {
        const isOver = isAbort(error) || request.signal.aborted || closing !== undefined;
        // msw would turn it into a 500, and print its stack
        if (error instanceof MockMistakeError || isOver) return HttpResponse.error();
        throw error;
      }
    });

  try {
    await service.start();
    const webhookSecret = await service.callbackSecret();
    await seedFirst();
    let handlers: RequestHandler[] | undefined;
    const mock: Omit<MockService, "handlers"> = {
      ...refuseUnhandled((method, url) => explainUnanswered(baseUrl, method, url)),
      fetch,
      baseUrl,
      apiKey: credential.apiKey,
      apiSecret: credential.apiSecret,
      webhookSecret,
      clock: {
        now: clock.now,
        advance: async (by) => move("clock.advance", by),
        settle: async () => move("clock.settle", 0),
      },
      async issue(owner = {}) {
        const { merchantId } = requireFields("issue", owner, ["merchantId"]);
        return prepare(
          afterPreparation(async () => {
            const issued = await service.issue(merchantId === undefined ? {} : { merchantId }).catch((error) => {
              if (!(error instanceof UnknownMerchantError)) throw error;
              throw new MockUsageError(
                `service.issue: expected an existing merchant; received ${JSON.stringify(merchantId)}. Add it first, with service.seed or a request.`,
              );
            });
            return { apiKey: issued.apiKey, apiSecret: issued.apiSecret, merchantId: issued.merchantId };
          }),
        );
      },
      reset: async () => reset(),
      seed,
      async messages(filter = {}) {
        const query = { ...requireFields("messages", filter, ["messageId", "to", "channel", "limit"]) };
        return afterPreparation(() => control<MockMessage[]>("GET", "messages", { asked: "messages", query }));
      },
      async callbacks(filter = {}) {
        const query = { ...requireFields("callbacks", filter, ["limit"]) };
        return afterPreparation(() => control<MockCallback[]>("GET", "callbacks", { asked: "callbacks", query }));
      },
      async failNext(operation, failure) {
        const body = { ...failure, operation };
        await prepare(afterPreparation(() => control("POST", "faults", { asked: "failNext", body })));
      },
      delay(ms) {
        requireOpen();
        if (typeof ms !== "number" || !(ms >= 0 && ms <= LONGEST_DELAY_MS)) {
          throw new MockUsageError(`service.delay: expected 0 to ${LONGEST_DELAY_MS} milliseconds; received ${ms}.`);
        }
        latencyMs = ms;
      },
      onCallback(to) {
        requireOpen();
        return receiver.receive(to);
      },
      close,
      [Symbol.asyncDispose]: close,
    };
    // Loads msw only when `handlers` is read, and not by `{ ...service }`: jest needs a transform for msw in CommonJS.
    const get = () => {
      handlers ??= [createHandler()];
      return handlers;
    };
    return Object.defineProperty(mock, "handlers", { get }) as MockService;
  } catch (error) {
    await close();
    throw error;
  }
}

function closedError(): MockUsageError {
  return new MockUsageError("The mock service is closed: create another with createMockService()");
}

/** An error with the name that tells the SDK not to retry. */
function endedCall(): MockUsageError {
  return Object.assign(closedError(), { name: "AbortError" });
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function toMove(now: number, by: string | number): { advance: string } | { set: string } {
  if (typeof by === "string") return { advance: by };
  if (!Number.isInteger(by) || by < 0) {
    throw new MockUsageError(`service.clock.advance: expected whole milliseconds, 0 or more; received ${by}.`);
  }
  const target = new Date(now + by);
  if (Number.isNaN(target.getTime())) {
    throw new MockUsageError(`service.clock.advance: expected a move of at most 366 days at once; received ${by} ms.`);
  }
  return { set: target.toISOString() };
}
