// One run of a server on a machine: msgd's parts on the world's clock, store and peers. It answers requests without HTTP.

import { type Carriers, carryBy } from "../../src/carriers/carriers.ts";
import { wakeWaitingCalls } from "../../src/dispatch/calls/call-jobs.ts";
import { endOpenAcceptances } from "../../src/dispatch/calls/removal.ts";
import { enginesOf } from "../../src/dispatch/calls/synthesizer.ts";
import { createWorkers, type Workers } from "../../src/dispatch/workers.ts";
import { defaultLargestUpgradeCents, defaultPrices } from "../../src/domain/billing/rules.ts";
import { createRecipientDigest } from "../../src/domain/contacts.ts";
import type { Caller } from "../../src/domain/context.ts";
import { findHandler } from "../../src/domain/operations.ts";
import { createAuthenticator } from "../../src/http/credentials/authentication.ts";
import { type Execute, executeRead, executeWrite } from "../../src/http/execution/execution.ts";
import { createIds } from "../../src/platform/ids.ts";
import type { Logger } from "../../src/platform/logging.ts";
import type { Randomness } from "../../src/platform/randomness.ts";
import type { Store } from "../../src/store/store.ts";
import { handsOver } from "../plan/plan.ts";
import type { Carrier } from "./carrier.ts";
import type { MachineProcess } from "./machine.ts";
import { pepper, secrets } from "./population.ts";
import type { Processor } from "./processor.ts";
import type { Receivers } from "./receiver.ts";
import type { Removals } from "./removals.ts";
import type { Engine } from "./speech-engine.ts";
import { watchCarriers } from "./watched-carriers.ts";

type OperationId = Parameters<typeof findHandler>[0];

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEY_DAYS = 7;
export const consentPolicy = "strict";

export interface Surroundings {
  readonly carriers: Readonly<Record<"SMS" | "EMAIL" | "VOICE", Carrier>>;
  readonly engine: Engine;
  readonly processor: Processor;
  readonly receivers: Receivers;
  /** Undefined if the plan removes no carrier. */
  readonly removals: Removals | undefined;
}

export interface InstanceOptions {
  readonly process: MachineProcess;
  readonly store: Store;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly surroundings: Surroundings;
  readonly isAlone: boolean;
  readonly pollIntervalMs: number | undefined;
  readonly carrierPollIntervalMs: number;
}

export interface Request {
  readonly operationId: OperationId;
  /** Tenant of the credential in the headers. */
  readonly tenant: number;
  /** Merchant that the request is about. */
  readonly merchantId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the request in the world. */
  readonly key: string;
  readonly idempotencyKey: string;
  readonly path: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

export interface Reply {
  readonly result: unknown;
  readonly replayed: boolean;
}

/** The number from which carriers that record each message before it leaves send all texts. Merchants share it. */
const SENDER = "+12025550199";

export class Instance {
  readonly process: MachineProcess;
  readonly store: Store;
  readonly #options: InstanceOptions;
  readonly #workers: Workers;
  readonly #authenticate: ReturnType<typeof createAuthenticator>;
  readonly #executions = new Map<OperationId, Execute>();
  readonly #newId: ReturnType<typeof createIds>;
  /** Whether it takes requests. */
  isReady = false;
  /** Time at which it became ready, in microseconds of the world; infinite before that. */
  readySince = Number.POSITIVE_INFINITY;

  constructor(options: InstanceOptions) {
    const { process, store, randomness, logger, surroundings, isAlone, pollIntervalMs } = options;
    const { clock } = process;
    this.process = process;
    this.store = store;
    this.#options = options;
    this.#newId = createIds(randomness);
    const { SMS, EMAIL, VOICE } = surroundings.carriers;
    const engine = surroundings.engine.connect(process);
    const voice = Object.assign(VOICE.connect(process), { speech: engine });
    const providers = { SMS: SMS.connect(process), EMAIL: EMAIL.connect(process), VOICE: voice };
    const sender = handsOver(SMS.plan) ? { sender: SENDER, usesMerchantNumbers: true } : undefined;
    const fixed = carryBy(new Set(Object.values(providers)), (_tenantId, channel) => providers[channel], {}, sender);
    const handing = new Set([SMS, EMAIL, VOICE].filter(({ plan }) => handsOver(plan)).map(({ name }) => name));
    const all: Carriers = {
      ...fixed,
      traitsOf: (name) => ({ ...fixed.traitsOf(name), handsOver: handing.has(name) }),
    };
    const { removals } = surroundings;
    const sweepCalls = async (isChanged: boolean) => {
      const looked = { engines, isChanged, now: clock.now() };
      if (await wakeWaitingCalls(store, looked)) this.#workers.notifyJobs();
    };
    const watched = { store, process, providers, pollIntervalMs: options.carrierPollIntervalMs, sweepCalls };
    const carriers = removals === undefined ? all : watchCarriers({ carriers: all, removals, ...watched });
    const engines = enginesOf(carriers, [engine]);
    this.#workers = createWorkers({
      store,
      clock,
      randomness,
      logger,
      carriers,
      engines,
      processor: surroundings.processor.connect(process),
      poster: surroundings.receivers.connect(process),
      secrets,
      consentPolicy,
      digestRecipient,
      prices: defaultPrices,
      // the event loop is never held up: the world decides on delays
      heldUp: () => 0,
      isAlone,
      pollIntervalMs,
      ...(isAlone ? { mark: process.machine.mark } : {}),
    });
    this.#authenticate = createAuthenticator({ store, clock, pepper });
  }

  async start(): Promise<void> {
    const { store, isAlone, process } = this.#options;
    if (isAlone) await endOpenAcceptances(store, process.clock.now());
    await this.#workers.start();
    this.isReady = true;
    this.readySince = process.machine.scheduler.now;
  }

  /** Polls for the jobs that an operator's command has left. */
  noteCommand(): void {
    this.#workers.notifyJobs();
  }

  /** Called after a commit that has written events of messages. */
  noteMessageEvents(): void {
    this.#workers.notifyCallbacks();
  }

  /** Stops as msgd does on SIGTERM. */
  async stop(): Promise<void> {
    this.isReady = false;
    await this.#workers.stop();
    await this.store.close();
  }

  /** Answers a request as its route does, beginning with the check of the credential. */
  async answer({ operationId, headers, idempotencyKey, path, body }: Request): Promise<Reply> {
    const caller: Caller = await this.#authenticate(headers);
    const input = { path, query: {}, body } as Parameters<Execute>[1];
    const request = { headers: { "idempotency-key": idempotencyKey }, project: null };
    const outcome = await this.#executionOf(operationId)(caller, input, request, () => {});
    const handler = findHandler(operationId);
    if ("write" in handler && !outcome.replayed) {
      if (handler.dispatches === true) this.#workers.notifyDispatcher();
      if (handler.schedules === true) this.#workers.notifyJobs();
    }
    return outcome;
  }

  #executionOf(operationId: OperationId): Execute {
    const known = this.#executions.get(operationId);
    if (known !== undefined) return known;
    const { store, process } = this.#options;
    const execution = {
      store,
      clock: process.clock,
      settings: {
        consentPolicy,
        digestRecipient,
        prices: defaultPrices,
        largestUpgradeCents: defaultLargestUpgradeCents,
        newId: this.#newId,
        callbackReach: "public",
        directoryCredential: "a1-hash",
        openSecret: secrets.open,
      },
      idempotencyMs: KEY_DAYS * DAY_MS,
      notifyJobs: () => this.#workers.notifyJobs(),
    } as const;
    const handler = findHandler(operationId);
    if (!("write" in handler) && !("read" in handler)) throw new Error(`${operationId} is not simulated`);
    const execute =
      "write" in handler ? executeWrite(handler, operationId, execution) : executeRead(handler, execution);
    this.#executions.set(operationId, execute);
    return execute;
  }
}

const digestRecipient = createRecipientDigest(pepper);
