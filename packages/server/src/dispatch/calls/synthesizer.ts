// Has speech made: leases what is due, calls its engine outside any transaction, records its answer. As with a message,
// the engine is asked about a speech that may have been made before it is made again.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import { extendPatience } from "../../rules/messages.ts";
import { move } from "../../rules/transitions.ts";
import { speechSettledJob } from "../../steps/call-progress.ts";
import { findCall } from "../../store/calls.ts";
import { FIRST_IN_LINE, NO_TENANT, scheduleJob } from "../../store/jobs.ts";
import {
  BEFORE_ALL_TENANTS,
  expireSpeechLeases,
  findNextSpeechDue,
  finishSpeech,
  leaseSpeech,
  listDueSpeech,
  postponeSpeech,
  type SpeechRow,
} from "../../store/speech.ts";
import type { Store, Transaction } from "../../store/store.ts";
import type { Carriers } from "../carriers/carriers.ts";
import { type Claim, type LeaseEnd, LeaseLoop, mayOutlast } from "../lease-loop.ts";
import { ProviderCalls } from "../provider-calls.ts";
import type { SpeechEngine } from "./engine.ts";

export interface SynthesizerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** @default the machine's own */
  readonly randomness?: Randomness;
  readonly engines: Pick<SpeechEngines, "named">;
  readonly logger: Logger;
  /** Called when calls that waited for a speech can proceed. */
  readonly notifyJobs: () => void;
  /** True if no other process has speech made from the store. @default false */
  readonly isAlone?: boolean;
  /** How long an engine may take to answer, in milliseconds. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Lease of a speech, in milliseconds: longer than a call. @default 60000 */
  readonly leaseMs?: number;
  /** How many are made at once. @default 16 */
  readonly atOnce?: number;
  /** How often to look for speech that other processes have requested, in milliseconds. @default never */
  readonly looksEveryMs?: number | undefined;
  /** See `LeaseLoopOptions.trustsClock`. */
  readonly trustsClock?: (() => boolean) | undefined;
}

export interface Synthesizer {
  start(): Promise<void>;
  /** Signals that a commit may have requested speech. */
  notify(): void;
  /** Whether it is working rather than waiting for the engine or the clock. */
  isBusy(): boolean;
  /** Claims nothing more, and leaves the engine's calls in flight in doubt. */
  stop(): Promise<void>;
}

const FIRST_ASK_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60 * 1_000;

/** A leased speech, and the token that recording its answer requires. */
interface SpeechTask extends LeaseEnd {
  readonly speech: SpeechRow;
  readonly token: string;
}

/** The bounds of a claim. */
interface SpeechLook {
  readonly token: string;
  /** The most speeches to claim. */
  readonly limit: number;
  /** `Clock.elapsed` at the start of the claim. */
  readonly elapsed: number;
}

/** What the engine's answer means. */
type Answer =
  | { readonly kind: "made" }
  | { readonly kind: "failed"; readonly detail: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown" };

/** Creates a synthesizer. Any number may share a store. */
export function createSynthesizer(options: SynthesizerOptions): Synthesizer {
  const { store, clock, engines, logger, notifyJobs, isAlone = false } = options;
  const {
    callTimeoutMs = 30_000,
    leaseMs = 60_000,
    atOnce = 16,
    looksEveryMs,
    trustsClock,
    randomness = systemRandomness,
  } = options;
  const calls = new ProviderCalls(clock, callTimeoutMs);
  const loop = new LeaseLoop<SpeechTask>({
    clock,
    randomness,
    countRoom: (underWay) => atOnce - underWay,
    claim,
    perform,
    onError: (error) => logger.error({ err: error }, "speech that is due could not be claimed; it is tried again"),
    looksEveryMs,
    trustsClock,
  });
  let recording = 0;
  /** Whose turn was last. */
  let lastTenant = BEFORE_ALL_TENANTS;
  let isStopped = false;

  async function claim(token: string, room: number): Promise<Claim<SpeechTask>> {
    const elapsed = clock.elapsed();
    const { tasks, looked, nextDueAt } = await store.write((tx) => claimDue(tx, { token, limit: room, elapsed }));
    if (tasks.length < looked) notifyJobs();
    return { tasks, isMoreDue: looked === room, nextDueAt };
  }

  /** Leases what is due, and gives up what is past its time. */
  async function claimDue(tx: Transaction, { token, limit, elapsed }: SpeechLook) {
    const now = clock.now();
    const lease = { leaseExpiresAt: now + leaseMs, leaseElapsesAt: elapsed + leaseMs };
    const due = await listDueSpeech(tx, { now, limit, lastTenant });
    lastTenant = due.at(-1)?.tenantId ?? BEFORE_ALL_TENANTS;
    const tasks: SpeechTask[] = [];
    for (const speech of due) {
      const { assetId, hasBegun } = speech;
      const giveUpAt = hasBegun === 1 ? extendPatience(speech, now) : speech.giveUpAt;
      await leaseSpeech(tx, { assetId, token, expiresAt: lease.leaseExpiresAt, giveUpAt, now });
      if (now < giveUpAt) tasks.push({ speech: { ...speech, giveUpAt }, token, ...lease });
      else {
        reached("a speech is given up");
        await finish(tx, speech, token, "FAILED", "the engine gave no answer in time");
      }
    }
    return { tasks, looked: due.length, nextDueAt: await findNextSpeechDue(tx) };
  }

  async function perform(task: SpeechTask): Promise<void> {
    if (mayOutlast(task, callTimeoutMs, clock)) {
      reached("a speech came too late for its lease");
      // the speech is claimed again when its lease ends
      return loop.notify();
    }
    const { speech, token } = task;
    const answer = await ask(speech);
    if (isStopped && answer.kind === "unknown") return;
    recording += 1;
    try {
      await store.write((tx) => record(tx, speech, token, answer));
      if (answer.kind === "made" || answer.kind === "failed") notifyJobs();
    } catch (error) {
      const details = { err: error, assetId: speech.assetId };
      reached("a speech was not recorded");
      logger.error(details, "a speech was not recorded: the engine is asked again when the lease ends");
    } finally {
      recording -= 1;
    }
    // the engine may have to be asked again
    loop.notify();
  }

  async function ask({
    cacheKey,
    messageText,
    language,
    voice,
    hasBegun,
    assetId,
    provider,
  }: SpeechRow): Promise<Answer> {
    const engine = engines.named(provider);
    if (engine === undefined) return { kind: "failed", detail: `the speech engine ${provider} is there no more` };
    try {
      if (hasBegun === 1) return { kind: await calls.run(({ signal }) => engine.find(cacheKey, signal)) };
      const order = { reference: cacheKey, text: messageText, language, voice };
      const answer = await calls.run(({ signal }) => engine.synthesize(order, signal));
      return answer.outcome === "made" ? { kind: "made" } : { kind: "failed", detail: answer.detail };
    } catch (error) {
      reached("a speech is in doubt");
      logger.warn({ err: error, assetId }, "a speech is in doubt: the engine is asked about it");
      return { kind: "unknown" };
    }
  }

  async function record(tx: Transaction, speech: SpeechRow, token: string, answer: Answer): Promise<void> {
    const { assetId } = speech;
    const now = clock.now();
    switch (answer.kind) {
      case "made":
        return finish(tx, speech, token, "READY", null);
      case "failed":
        return finish(tx, speech, token, "FAILED", answer.detail);
      case "absent":
        reached("a speech was proved absent, and is made again");
        await postponeSpeech(tx, { assetId, token, hasBegun: false, asks: speech.asks, dueAt: now });
        return;
      case "unknown": {
        const pauseMs = Math.min(FIRST_ASK_MS * 2 ** speech.asks, LONGEST_PAUSE_MS);
        const dueAt = Math.min(now + pauseMs, speech.giveUpAt);
        await postponeSpeech(tx, { assetId, token, hasBegun: true, asks: speech.asks + 1, dueAt });
      }
    }
  }

  async function finish(
    tx: Transaction,
    speech: SpeechRow,
    token: string,
    to: "READY" | "FAILED",
    error: string | null,
  ): Promise<void> {
    const { assetId } = speech;
    const now = clock.now();
    const status = move("speech", speech.status, to);
    if (await finishSpeech(tx, { assetId, token, status, error, now })) {
      const owner = await findCall(tx, speech.ownerRequestId);
      const tenantId = owner?.tenantId ?? NO_TENANT;
      await scheduleJob(tx, { tenantId, ...speechSettledJob({ assetId, after: 0 }, FIRST_IN_LINE) });
    }
  }

  return {
    async start() {
      if (isAlone) await store.write((tx) => expireSpeechLeases(tx, clock.now()));
      loop.start();
    },
    notify: () => loop.notify(),
    isBusy: () => loop.isClaiming || recording > 0,
    async stop() {
      isStopped = true;
      await loop.stop();
      calls.abandonAll();
      await loop.finish();
    },
  };
}

// Which engine speaks in the calls of a tenant: the one whose speech its carrier can play. Without one its calls wait.

export interface SpeechEngines {
  /** Returns the engine whose speech the tenant's calls are to play now; undefined if nobody carries them, or their carrier plays none. */
  of(tx: Transaction, tenantId: number): Promise<SpeechEngine | undefined>;
  /** The one that a speech was requested of; undefined if it is there no more. */
  named(name: string): SpeechEngine | undefined;
}

/** The engines of carriers. */
export function enginesOf(carriers: Pick<Carriers, "of">, engines: readonly SpeechEngine[]): SpeechEngines {
  return {
    of: async (tx, tenantId) => (await carriers.of(tx, tenantId, "VOICE"))?.speech,
    named: (name) => engines.find((engine) => engine.name === name),
  };
}
