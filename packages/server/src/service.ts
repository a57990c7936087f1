// The composition root: builds the parts of a server, connects them, and closes them in order. The program serves it on a
// port, and tests run it in process.

import { randomInt } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type Carriers, carryForAll, SimulatedTenants } from "./carriers/carriers.ts";
import { InstalledCarriers } from "./carriers/installed-carriers.ts";
import { InstalledProcessors } from "./carriers/installed-processors.ts";
import { kinds } from "./carriers/kinds.ts";
import { withLibraries } from "./carriers/libraries.ts";
import { openCarrier } from "./carriers/open-carrier.ts";
import { processorKinds } from "./carriers/processor-kinds.ts";
import type { MessageEvent } from "./carriers/provider.ts";
import { openSimulatedProvider } from "./carriers/simulated/simulated.ts";
import type { BounceListener } from "./carriers/smtp/bounces/bounce-listener.ts";
import type { MailToRead } from "./carriers/smtp/bounces/read-mail.ts";
import { bounceLibraries } from "./carriers/smtp/kind.ts";
import { carrierSpeech } from "./carriers/speech/carrier-speech.ts";
import { COMMANDS_AT_ONCE, createCommandSpeech } from "./carriers/speech/command-speech.ts";
import { addControlRoutes, type Control } from "./development/control.ts";
import { PlannedFaults } from "./development/planned-faults.ts";
import { hasMessageEvents } from "./dispatch/callbacks/message-events.ts";
import { createPoster } from "./dispatch/callbacks/post.ts";
import { wakeWaitingCalls } from "./dispatch/calls/call-jobs.ts";
import { endOpenAcceptances } from "./dispatch/calls/removal.ts";
import { enginesOf } from "./dispatch/calls/synthesizer.ts";
import { type ClockWatch, createClockWatch } from "./dispatch/clock-watch.ts";
import { openFileMark } from "./dispatch/messages/hand-over-file.ts";
import { createMemoryMark } from "./dispatch/messages/restoration.ts";
import type { TaskAnswer, TaskRequest } from "./dispatch/task-thread.ts";
import { createWorkers } from "./dispatch/workers.ts";
import { addDocsRoutes } from "./docs-site/routes.ts";
import { defaultLargestUpgradeCents, defaultPrices } from "./domain/billing/rules.ts";
import { createSpeechLinks } from "./domain/calls/speech-links.ts";
import { findReadySpeech } from "./domain/calls/speech-rows.ts";
import { SIMULATED } from "./domain/carriers/rules.ts";
import { createRecipientDigest } from "./domain/contacts.ts";
import { createMessageTokens } from "./domain/message-tokens.ts";
import { findHandler } from "./domain/operations.ts";
import { findBackups, findDiskRoom, openLedgerDatabase, openStore } from "./engines.ts";
import type { BodyAnswer, BodyCheck } from "./http/bodies/body-check.ts";
import type { BodyRequest } from "./http/bodies/body-thread.ts";
import { createAuthenticator } from "./http/credentials/authentication.ts";
import { createRateLimit } from "./http/credentials/rate-limit.ts";
import { createReadiness } from "./http/health.ts";
import { Metrics } from "./http/metrics/metrics.ts";
import { RequestLog } from "./http/request-log.ts";
import { createHttpServer, type ServedDashboard } from "./http/server.ts";
import { Compilations } from "./http/validation/ajv.ts";
import { CallerWaits, createLoadGauge } from "./platform/caller-waits.ts";
import { defined } from "./platform/defined.ts";
import { watchLoopDelay } from "./platform/event-loop-delay.ts";
import { createIds } from "./platform/ids.ts";
import { createSecretBox } from "./platform/secret-box.ts";
import { createLocalSearches, createThreadSearches } from "./search/create-searches.ts";
import type { ServiceOptions } from "./service-options.ts";
import { findDatabaseTime } from "./store/installation.ts";
import { notingDamage, type Store } from "./store/store.ts";
import { BoundedThread } from "./threads/worker-threads.ts";

export type { Poster, PostResult } from "./dispatch/callbacks/post.ts";
export type { ServiceOptions } from "./service-options.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Name of the provider that reports returned mail. */
const BOUNCES = "bounces";
/** Memory limit of a thread that parses mails. */
const MAIL_MEMORY_MIB = 24;
const MOST_MAILS_WAITING = 64;
const MAIL_IDLE_MS = 10_000;
/** Memory limit of the thread that parses long bodies. */
const BODY_MEMORY_MIB = 40;
const BODY_IDLE_MS = 60_000;
/** Time limit for a receiver's answer to a callback. */
const CALLBACK_TIMEOUT_MS = 15_000;

export interface Service {
  /** The app, which does not listen yet. */
  readonly app: FastifyInstance;
  readonly store: Store;
  /** Starts to dispatch and to run due jobs. After that the server is ready. */
  start(): Promise<void>;
  /** While the process is idle, does work that would otherwise delay the first requests. */
  warmUp(): Promise<void>;
  /** Returns whether a worker is busy, not waiting for the clock. A virtual clock calls this before it moves. */
  isBusy(): boolean;
  /** Makes `close` stop waiting for a database server. Everything that is not recorded by then is in doubt. */
  breakOff(): void;
  /** Reports that the server is not ready, accepts no new work, finishes the work in flight, then closes the database. */
  close(): Promise<void>;
}

/** Opens all parts of a server. Nothing is dispatched before `start()`. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const {
    clock,
    consentPolicy,
    stopCovers,
    development,
    isAlone = false,
    pollIntervalMs,
    watchesLoop = false,
  } = options;
  const { prices = defaultPrices, largestUpgradeCents = defaultLargestUpgradeCents } = options;
  const { callbackReach = "public", directoryCredential = "a1-hash" } = options;
  const metrics = new Metrics();
  const loopDelay = watchesLoop ? watchLoopDelay() : undefined;
  const opened = await openStore({
    ...options,
    isServing: true,
    noteCommit(writes, ms, occurrences) {
      metrics.noteCommit(writes, ms, occurrences);
      if (hasMessageEvents(occurrences)) workers.notifyCallbacks();
    },
    noteCheckpoint: metrics.noteCheckpoint,
  });
  const store = notingDamage(opened, () => readiness.noteDamage());
  // before any request is answered, because later acceptances are this process's own
  if (isAlone) await openBeside(store, () => endOpenAcceptances(store, clock.now()));
  const { pepper: givenPepper, secrets: givenSecrets = createSecretBox(() => []) } = options;
  const pepper = await openBeside(store, () => (typeof givenPepper === "string" ? givenPepper : givenPepper(store)));
  const secrets = await openBeside(store, () => ("open" in givenSecrets ? givenSecrets : givenSecrets(store)));
  const digestRecipient = createRecipientDigest(pepper);
  const faults = new PlannedFaults();
  const provider = await openBeside(store, async () =>
    openSimulatedProvider({
      database: await openLedgerDatabase(options.simulator),
      clock,
      takeDisturbance: () => faults.takeForProvider(),
    }),
  );
  let ids = createIds();
  const newId: typeof ids = (prefix, now) => ids(prefix, now);
  const compilations = new Compilations();
  const clockWatch = watchClock();
  const readiness = createReadiness({
    store,
    clock,
    checkId: isAlone ? 1 : randomInt(2, 2 ** 31),
    clockWatch,
    countOlderSeals: options.countOlderSeals && (() => options.countOlderSeals?.(store) ?? Promise.resolve(0)),
  });
  const authenticate = createAuthenticator({
    store,
    clock,
    pepper,
    onError: (error) => app.log.warn({ err: error }, "the time of a key's last use could not be stored"),
  });
  const searching = {
    database: options.database,
    onError: noteSearchError,
    ...defined({ searchFile: options.searchFile }),
  };
  const hasDashboard = options.dashboardFiles !== undefined;
  const hasCarriers = options.carrierPollIntervalMs !== undefined;
  const local = hasDashboard && development ? createLocalSearches(searching, { store, clock }) : undefined;
  const searches = hasDashboard ? (local ?? createThreadSearches(searching, options.searchThreads)) : undefined;
  const bodies =
    options.bodyThread &&
    new BoundedThread<BodyRequest, BodyAnswer>({
      program: options.bodyThread,
      memoryMiB: BODY_MEMORY_MIB,
      idleMs: BODY_IDLE_MS,
      onFailure: (error) => app.log.error({ err: error }, "the thread that reads long bodies failed"),
    });
  const checkBody: BodyCheck | undefined =
    bodies && ((schema, bytes, owner) => bodies.run({ schema, bytes }, { owner, transfer: [bytes.buffer] }));
  const waits = watchesLoop ? new CallerWaits() : undefined;
  const requests = new RequestLog(clock, development);
  const routes = {
    ...defined({ replyBounds: options.replyBounds, bodyRoom: options.bodyRoom }),
    checkBody,
    store,
    clock,
    settings: {
      consentPolicy,
      stopCovers,
      digestRecipient,
      prices,
      largestUpgradeCents,
      newId,
      callbackReach,
      directoryCredential,
      openSecret: secrets.open,
    },
    idempotencyMs: options.idempotencyDays * DAY_MS,
    findHandler,
    compilations,
    notifyDispatcher: () => workers.notifyDispatcher(),
    notifyJobs: () => workers.notifyJobs(),
    waits,
  };
  const limitRate = createRateLimit(options.rateLimit, clock);
  const app = createHttpServer({
    ...routes,
    addPages: (to, files) =>
      addDocsRoutes(to, files, { isDevelopment: options.development !== undefined, hasDashboard }),
    logger: options.logger ?? false,
    trustedProxies: options.trustedProxies,
    logAddresses: options.logAddresses,
    readiness,
    limitRate,
    authenticate,
    metrics,
    findClockAhead: clockWatch?.aheadMs,
    ...findDiskRoom(options.database),
    ...findBackups(options.database),
    ...defined({
      contractFiles: options.contractFiles,
      metricsHosts: options.metricsHosts,
      carrierKinds: [SIMULATED, ...kinds.map(({ name }) => name)],
      processorKinds: processorKinds.map(({ name }) => name),
      loopDelay,
      development: development && {
        faults,
        addRoutes: (to: FastifyInstance) => addControlRoutes(to, createControl(development), compilations),
      },
      unsubscribeTokens: hasCarriers ? createMessageTokens(pepper, "unsubscribe") : undefined,
      findReceiver: hasCarriers
        ? (eventsId: string) => carriers.findReceiver(eventsId) ?? processors.findReceiver(eventsId)
        : undefined,
      findSpeechFile: hasCarriers && options.speech !== undefined ? findSpeechFile : undefined,
      dashboard: options.dashboardFiles && createDashboard(options.dashboardFiles),
    }),
  });
  const spoken = options.speech && createCommandSpeech({ ...options.speech, logger: app.log });
  const simulated = new SimulatedTenants({ includesLive: !hasCarriers || development !== undefined });
  const mark = options.markFile === undefined ? createMemoryMark() : openFileMark(options.markFile);
  const carriers = findCarriers();
  const processors = new InstalledProcessors({
    ...{ store, clock, openSecret: secrets.open, publicUrl: options.publicUrl },
    recordEvent: (source, event) => workers.recordPaymentEvent(source, event),
  });
  const ownEngines = [provider.speech, carrierSpeech];
  const engines = enginesOf(carriers, spoken === undefined ? ownEngines : [...ownEngines, spoken]);
  const workers = createWorkers({
    store,
    clock,
    logger: app.log,
    carriers,
    engines,
    simulated,
    processor: provider.payments,
    findProcessor: hasCarriers ? (tx, tenantId) => processors.of(tx, tenantId) : undefined,
    poster: options.poster ?? createPoster({ reach: callbackReach, timeoutMs: CALLBACK_TIMEOUT_MS }),
    secrets,
    consentPolicy,
    stopCovers,
    digestRecipient,
    prices,
    registration: options.registration,
    otpValidityMs: options.otpValidityMs,
    mark,
    // several at once, because most of the time is spent waiting for the command
    speechAtOnce: spoken === undefined ? undefined : COMMANDS_AT_ONCE,
    heldUp: waits && createLoadGauge(waits, store.saturatedMs),
    isAlone,
    pollIntervalMs,
    trustsClock: clockWatch?.isTrusted,
    isClockMoved: development !== undefined,
  });
  let bounces: BounceListener | undefined;
  const tasks =
    options.taskThread &&
    new BoundedThread<TaskRequest, TaskAnswer>({
      program: options.taskThread,
      memoryMiB: MAIL_MEMORY_MIB,
      idleMs: MAIL_IDLE_MS,
      mostWaiting: { perOwner: MOST_MAILS_WAITING, owners: 1 },
      onFailure: (error) => app.log.error({ err: error }, "a thread that reads mails failed"),
    });
  development?.clock.watch(isBusy);

  /** Watches the database's clock; undefined for a database in this process, which uses the machine's clock. */
  function watchClock(): ClockWatch | undefined {
    if (pollIntervalMs === undefined || "file" in options.database) return undefined;
    return createClockWatch({
      findDatabaseTime: () => store.read(findDatabaseTime),
      clock,
      machine: options.machine,
      pollIntervalMs,
      warn: (details, text) => app.log.warn(details, text),
    });
  }

  function isBusy(): boolean {
    return workers.isBusy() || clockWatch?.isBusy() === true;
  }

  /** Finds the speech file of a link's token. If the file was removed, makes the speech again. */
  async function findSpeechFile(token: string): Promise<string | undefined> {
    const reference = createSpeechLinks(pepper).read(token, clock.now());
    if (reference === undefined) return undefined;
    const made = await store.read((tx) => findReadySpeech(tx, reference));
    if (made === undefined || made.provider !== spoken?.name) return undefined;
    const { messageText: text, language, voice } = made;
    return spoken.fileOf({ reference, text, language, voice });
  }

  function noteSearchError(error: unknown): void {
    app.log.error({ err: error }, "the search index could not be updated");
  }

  function createDashboard(files: URL): ServedDashboard {
    const { database, passwordCost, version, publicUrl } = options;
    const engine = "url" in database ? "PostgreSQL" : "SQLite";
    const found = { findClockAhead: clockWatch?.aheadMs, ...findDiskRoom(database), ...findBackups(database) };
    const health = { readiness, version, engine, ...found } as const;
    const developmentTenant = development && (() => development.tenant().tenantId);
    const parts = {
      ...{ services: routes, metrics, requests, health, searches, files, pepper, secrets, limitRate },
      ...{ publicUrl, passwordCost, developmentTenant },
    };
    return {
      requests,
      async createApp(common) {
        const dashboard = await import("./dashboard/dashboard.ts");
        return dashboard.createDashboard(parts, common);
      },
    };
  }

  function findCarriers(): Carriers {
    const { carrierPollIntervalMs: pollIntervalMs } = options;
    if (pollIntervalMs === undefined) return carryForAll({ SMS: provider, EMAIL: provider, VOICE: provider });
    return new InstalledCarriers({
      store,
      clock,
      logger: app.log,
      simulator: provider,
      simulated,
      openSecret: secrets.open,
      open: (settings, succession) =>
        openCarrier(settings, succession, {
          ...{ clock, logger: app.log, pepper, store },
          speech: spoken,
          publicUrl: options.publicUrl,
        }),
      pollIntervalMs,
      notify: () => workers.notifyDispatcher(),
      async sweepCalls(isChanged) {
        const isWoken = await wakeWaitingCalls(store, { engines, isChanged, now: clock.now() });
        // a command may also have created callbacks
        if (isWoken || isChanged) workers.notifyJobs();
      },
    });
  }

  async function listenForBounces(): Promise<BounceListener | undefined> {
    if (options.bounces === undefined) return undefined;
    const { openBounceListener } = await withLibraries(
      bounceLibraries,
      () => import("./carriers/smtp/bounces/bounce-listener.ts"),
    );
    const record = (event: MessageEvent) => workers.record(BOUNCES, event);
    const read = tasks && ((mail: MailToRead) => tasks.run({ mail }));
    return openBounceListener({ ...options.bounces, pepper, logger: app.log, record, ...defined({ read }) });
  }

  function createControl(parts: NonNullable<ServiceOptions["development"]>): Control {
    return {
      ...parts,
      store,
      faults,
      countSends: async (messageId) => (await provider.countSubmissions(messageId)).sends,
      async beginAnew() {
        authenticate.forget();
        // ULIDs never go back: without a new generator, ids would stay ahead of the clock, and the search index would wait
        ids = createIds();
        await local?.beginAnew();
        requests.forget();
        await provider.forget();
        mark.forget(mark.latest);
        await workers.beginAnew();
      },
    };
  }

  return {
    app,
    store,
    async start() {
      await clockWatch?.start();
      await workers.start();
      bounces = await listenForBounces();
      readiness.endStart();
    },
    warmUp: () => compilations.finish(),
    isBusy,
    breakOff() {
      store.breakOff?.();
      provider.breakOff();
    },
    async close() {
      readiness.beginStop();
      // a connection kept alive after its reply would delay the close
      app.server.keepAliveTimeout = 1;
      // workers accept nothing new while the requests in flight finish; the work that these create waits for the next start
      await bounces?.close();
      await tasks?.close();
      await spoken?.stop();
      await Promise.all([clockWatch?.stop(), workers.stop(), app.close()]);
      await processors.stop();
      await bodies?.close();
      await searches?.close();
      await provider.close();
      mark.close();
      await store.close();
      loopDelay?.stop();
    },
  };
}

/** Opens a part that uses the store. If that fails, closes the store. */
async function openBeside<T>(store: Store, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await store.close();
    throw error;
  }
}
