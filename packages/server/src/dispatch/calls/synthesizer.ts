// Makes speech: leases due speeches, calls the engine outside any transaction, and records its answer. If a speech may
// have been made, the engine is asked about it before the speech is made again.

import type { Carriers } from "../../carriers/carriers.ts";
import type { SpeechEngine, SpeechFinding, SpeechOutcome } from "../../carriers/speech/engine.ts";
import { speechSettledJob } from "../../domain/calls/progress.ts";
import { findCall } from "../../domain/calls/rows.ts";
import {
  BEFORE_ALL_TENANTS,
  expireSpeechLeases,
  findNextSpeechDue,
  finishSpeech,
  leaseSpeech,
  listDueSpeech,
  postponeSpeech,
  type SpeechRow,
} from "../../domain/calls/speech-rows.ts";
import { extendPatience } from "../../domain/messages/rules.ts";
import { move } from "../../domain/transitions.ts";
import { reached } from "../../platform/probes.ts";
import { systemRandomness } from "../../platform/randomness.ts";
import { FIRST_IN_QUEUE, NO_TENANT, scheduleJob } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import { type Claim, type LeaseEnd, LeaseLoop, mayOutlast, type WorkerOptions } from "../lease-loop.ts";
import { ProviderCalls } from "../provider-calls.ts";

export interface SynthesizerOptions extends WorkerOptions {
  readonly engines: Pick<SpeechEngines, "named">;
  /** Called when calls that waited for a speech can continue. */
  readonly notifyJobs: () => void;
  /** Timeout of an engine's answer, in milliseconds. @default 30000 */
  readonly callTimeoutMs?: number;
  /** Lease of a speech, in milliseconds. Must be longer than a call to the engine. @default 60000 */
  readonly leaseMs?: number;
  /** Maximum number of speeches made at once. @default 16 */
  readonly atOnce?: number;
}

const FIRST_ASK_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60 * 1_000;

/** A leased speech, and the token needed to record its answer. */
interface SpeechTask extends LeaseEnd {
  readonly speech: SpeechRow;
  readonly token: string;
}

type Answer = SpeechOutcome | { readonly outcome: SpeechFinding };

/** Creates a synthesizer. Any number of synthesizers may share a store. */
export function createSynthesizer(options: SynthesizerOptions) {
  const { store, clock, engines, logger, notifyJobs, pollIntervalMs, trustsClock } = options;
  const { callTimeoutMs = 30_000, leaseMs = 60_000, atOnce = 16, randomness = systemRandomness } = options;
  const calls = new ProviderCalls(clock, callTimeoutMs);
  const loop = new LeaseLoop<SpeechTask>({
    clock,
    randomness,
    countRoom: (underWay) => atOnce - underWay,
    claim,
    perform,
    onError: (error) => logger.error({ err: error }, "failed to claim due speech; retrying"),
    pollIntervalMs,
    trustsClock,
  });
  let recording = 0;
  /** The last tenant served in the round-robin. */
  let lastTenant = BEFORE_ALL_TENANTS;
  let isStopped = false;

  /** Leases due speeches, and gives up those that are past their `giveUpAt`. */
  async function claim(token: string, room: number): Promise<Claim<SpeechTask>> {
    const leaseElapsesAt = clock.elapsed() + leaseMs;
    const { tasks, examined, nextDueAt } = await store.write((tx) => claimDue(tx, token, room, leaseElapsesAt));
    if (tasks.length < examined) notifyJobs();
    return { tasks, isMoreDue: examined === room, nextDueAt };
  }

  async function claimDue(tx: Transaction, token: string, limit: number, leaseElapsesAt: number) {
    const now = clock.now();
    const lease = { leaseExpiresAt: now + leaseMs, leaseElapsesAt };
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
    return { tasks, examined: due.length, nextDueAt: await findNextSpeechDue(tx) };
  }

  async function perform(task: SpeechTask): Promise<void> {
    if (mayOutlast(task, callTimeoutMs, clock)) {
      reached("a speech began too late for its lease");
      // the speech is claimed again when its lease ends
      return loop.notify();
    }
    const { speech, token } = task;
    const answer = await ask(speech);
    if (isStopped && answer.outcome === "unknown") return;
    recording += 1;
    try {
      await store.write((tx) => record(tx, speech, token, answer));
      if (answer.outcome === "made" || answer.outcome === "failed") notifyJobs();
    } catch (error) {
      const details = { err: error, assetId: speech.assetId };
      reached("a speech was not recorded");
      logger.error(details, "failed to record a speech; the engine is asked again when the lease ends");
    } finally {
      recording -= 1;
    }
    // the engine may have to be asked again
    loop.notify();
  }

  async function ask(speech: SpeechRow): Promise<Answer> {
    const { cacheKey: reference, messageText: text, language, voice, hasBegun, assetId, provider } = speech;
    const engine = engines.named(provider);
    if (engine === undefined) return { outcome: "failed", detail: `the speech engine ${provider} was removed` };
    try {
      if (hasBegun === 1) return { outcome: await calls.run(({ signal }) => engine.find(reference, signal)) };
      return await calls.run(({ signal }) => engine.synthesize({ reference, text, language, voice }, signal));
    } catch (error) {
      reached("a speech is in doubt");
      logger.warn({ err: error, assetId }, "it is unknown whether a speech was made; asking the engine");
      return { outcome: "unknown" };
    }
  }

  async function record(tx: Transaction, speech: SpeechRow, token: string, answer: Answer): Promise<void> {
    const { assetId } = speech;
    const now = clock.now();
    switch (answer.outcome) {
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
      await scheduleJob(tx, { tenantId, ...speechSettledJob({ assetId, after: 0 }, FIRST_IN_QUEUE) });
    }
  }

  return {
    async start(): Promise<void> {
      if (options.isAlone === true) await store.write((tx) => expireSpeechLeases(tx, clock.now()));
      loop.start();
    },
    /** Signals that a commit may have requested speech. */
    notify: () => loop.notify(),
    /** Whether speech is being claimed or recorded. Waiting for the engine or the clock does not count. */
    isBusy: () => loop.isClaiming || recording > 0,
    /** Stops claiming. Abandons calls to the engine that are in flight; their outcome stays unknown. */
    async stop(): Promise<void> {
      isStopped = true;
      await loop.stop();
      calls.abandonAll();
      await loop.finish();
    },
  };
}

export interface SpeechEngines {
  /**
   * Returns the speech engine of the tenant's carrier of calls. Returns undefined if there is none; the tenant's calls
   * wait then.
   */
  of(tx: Transaction, tenantId: number): Promise<SpeechEngine | undefined>;
  /** Returns the engine from which a speech was requested. Returns undefined if the engine was removed. */
  named(name: string): SpeechEngine | undefined;
}

/** Finds a tenant's engine through its carrier of calls. */
export function enginesOf(carriers: Pick<Carriers, "of">, engines: readonly SpeechEngine[]): SpeechEngines {
  return {
    of: async (tx, tenantId) => (await carriers.of(tx, tenantId, "VOICE"))?.speech,
    named: (name) => engines.find((engine) => engine.name === name),
  };
}
