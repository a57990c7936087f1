// All background work: messages, calls, payments, speech, jobs and callbacks. Each worker notifies the others of the
// work it creates for them. A server runs the workers beside its API.

import { type Carriers, SimulatedTenants } from "../carriers/carriers.ts";
import type { InstalledProcessor, PaymentEvent, PaymentProcessor } from "../carriers/payment-processor.ts";
import type { ProviderEvent } from "../carriers/provider.ts";
import { readCallbackSecrets } from "../domain/callbacks/secrets.ts";
import type { RecipientDigest } from "../domain/contacts.ts";
import type { ConsentPolicy, PriceList, RegistrationPolicy, StopCoverage } from "../domain/policies.ts";
import { type Randomness, systemRandomness } from "../platform/randomness.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { inBackground, type Transaction } from "../store/store.ts";
import { callbackJobs } from "./callbacks/claim.ts";
import { createCallbackDispatcher } from "./callbacks/dispatcher.ts";
import type { Poster } from "./callbacks/post.ts";
import { callJobs } from "./calls/call-jobs.ts";
import { removalJobs } from "./calls/removal.ts";
import { createSynthesizer, type SpeechEngines } from "./calls/synthesizer.ts";
import { beginPruning, erasureJobs, pruningJobs, registrationReviews } from "./jobs/handlers.ts";
import { bringBackFarJobs, createJobRunner } from "./jobs/runner.ts";
import type { WorkerOptions } from "./lease-loop.ts";
import { createDispatcher } from "./messages/dispatcher.ts";
import type { HandOverMark } from "./messages/restoration.ts";
import { createPayments } from "./payments.ts";

export interface WorkersOptions extends Omit<WorkerOptions, "randomness" | "dueHorizonMs"> {
  /** @default the machine's randomness */
  readonly randomness?: Randomness | undefined;
  readonly carriers: Carriers;
  readonly engines: SpeechEngines;
  /** Tenants whose payments and reviews are simulated; those of other tenants wait for the operator. @default all */
  readonly simulated?: SimulatedTenants;
  /** The simulated processor. */
  readonly processor: PaymentProcessor;
  /** See `PaymentsOptions.findInstalled`. */
  readonly findProcessor?: ((tx: Transaction, tenantId: number) => Promise<InstalledProcessor | undefined>) | undefined;
  readonly poster: Poster;
  readonly secrets: SecretBox;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  readonly prices: PriceList;
  /** @default "open" */
  readonly registration?: RegistrationPolicy | undefined;
  readonly otpValidityMs?: number | undefined;
  /** See `DispatcherOptions.mark`. */
  readonly mark?: HandOverMark;
  /** Maximum number of speeches made at once. @default 16 */
  readonly speechAtOnce?: number | undefined;
  /** See `DispatcherOptions.heldUp`. */
  readonly heldUp?: (() => number) | undefined;
  readonly isAlone: boolean;
  /** Whether the clock may be moved ahead. If so, the workers look ahead without limit. @default false */
  readonly isClockMoved?: boolean;
}

export interface Workers {
  start(): Promise<void>;
  /** Signals that a commit has added to the outbox. */
  notifyDispatcher(): void;
  /** Signals that a commit has scheduled a job, or added a callback. */
  notifyJobs(): void;
  /** Signals that a commit has added a callback, or an event that becomes one. */
  notifyCallbacks(): void;
  /** Records a report of the provider with this name. Resolves when the report is durable. */
  record(provider: string, event: ProviderEvent): Promise<void>;
  /** Records an event of a payment processor. Resolves when it is durable. */
  recordPaymentEvent(source: Pick<InstalledProcessor, "name" | "tenantId">, event: PaymentEvent): Promise<void>;
  /** Schedules pruning as at a start. Call after the tables were emptied. */
  beginAnew(): Promise<void>;
  /** Whether anything is running rather than waiting for the clock. A virtual clock polls this. */
  isBusy(): boolean;
  /** Stops taking work, and waits for the work in flight, each worker up to its own limit. */
  stop(): Promise<void>;
}

/** Creates the workers. They claim nothing before `start()`. The workers of any number of processes may share a store. */
export function createWorkers(options: WorkersOptions): Workers {
  const { clock, randomness = systemRandomness, logger, isAlone, pollIntervalMs, trustsClock } = options;
  const { carriers, engines, consentPolicy, stopCovers, digestRecipient, prices, otpValidityMs, speechAtOnce } =
    options;
  const store = inBackground(options.store);
  const dueHorizonMs = options.isClockMoved === true ? undefined : pollIntervalMs;
  const circumstances = { store, clock, randomness, logger, isAlone, pollIntervalMs, dueHorizonMs, trustsClock };
  const rules = { carriers, consentPolicy, stopCovers, digestRecipient, prices };
  const dispatcher = createDispatcher({
    registration: options.registration ?? "open",
    heldUp: options.heldUp,
    notifyCallbacks: () => callbacks.notify(),
    ...(otpValidityMs === undefined ? {} : { otpValidityMs }),
    ...(options.mark === undefined ? {} : { mark: options.mark }),
    ...rules,
    ...circumstances,
  });
  const payments = createPayments({
    processor: options.processor,
    findInstalled: options.findProcessor,
    simulated: options.simulated,
    notifyJobs: () => jobs.notify(),
    ...circumstances,
  });
  const jobs = createJobRunner({
    handlers: {
      ...callJobs({ engines, otpValidityMs, ...rules }),
      ...removalJobs,
      ...registrationReviews(options.simulated ?? new SimulatedTenants({ includesLive: true })),
      ...payments.jobs,
      ...callbackJobs,
      ...pruningJobs,
      ...erasureJobs,
    },
    notifyDispatcher: () => dispatcher.notify(),
    notifySynthesizer: () => synthesizer.notify(),
    notifyCallbacks: () => callbacks.notify(),
    ...circumstances,
  });
  const synthesizer = createSynthesizer({
    engines,
    notifyJobs: () => jobs.notify(),
    ...(speechAtOnce === undefined ? {} : { atOnce: speechAtOnce }),
    ...circumstances,
  });
  const callbacks = createCallbackDispatcher({
    poster: options.poster,
    readSecrets: (tx, owner) => readCallbackSecrets(tx, options.secrets, owner),
    notifyJobs: () => jobs.notify(),
    ...circumstances,
  });
  const all = [dispatcher, jobs, payments, synthesizer, callbacks];
  return {
    async start() {
      await dispatcher.start();
      await beginPruning(options.store, clock.now());
      await bringBackFarJobs(options.store, clock.now());
      jobs.start();
      await synthesizer.start();
      await callbacks.start();
    },
    notifyDispatcher: () => dispatcher.notify(),
    notifyJobs() {
      jobs.notify();
      callbacks.notify();
    },
    notifyCallbacks: () => callbacks.notify(),
    record: (provider, event) => dispatcher.record(provider, event),
    recordPaymentEvent: (source, event) => payments.recordEvent(source, event),
    async beginAnew() {
      await beginPruning(options.store, clock.now());
      jobs.notify();
    },
    isBusy: () => all.some((worker) => worker.isBusy()),
    async stop() {
      await Promise.all(all.map((worker) => worker.stop()));
    },
  };
}
