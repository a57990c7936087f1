// Performs the task of a leased message outside any transaction: submits the message to its provider, or looks it up
// there. outcomes.ts records the answer.

import type { Carriers } from "../../carriers/carriers.ts";
import {
  cleanAnswer,
  nameLateAnswer,
  type Provider,
  type Submission,
  type SubmitCall,
  type SubmitOutcome,
  toSubmission,
} from "../../carriers/provider.ts";
import { collectChanges, concludeChanges } from "../../domain/calls/progress.ts";
import { type OutboxRow, saveHandOver } from "../../domain/messages/outbox-rows.ts";
import { lockMessage } from "../../domain/messages/progress-rows.ts";
import { receiptDueAt } from "../../domain/messages/rules.ts";
import type { PriceList } from "../../domain/policies.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached, sometimes } from "../../platform/probes.ts";
import { Batcher } from "../../store/batcher.ts";
import { inLockOrder } from "../../store/batching.ts";
import type { Work } from "../../store/store.ts";
import { runUntilKnown } from "../commit-in-doubt.ts";
import { mayOutlast } from "../lease-loop.ts";
import { CallAbandoned, ProviderCalls } from "../provider-calls.ts";
import { kindOf, type Task } from "./claim.ts";
import { ReportedTooEarly, recordLateAnswer, recordParts } from "./events.ts";
import {
  type Answered,
  type DueAgain,
  recordAllTaken,
  recordFinding,
  recordSubmission,
  type TakenSubmission,
  type WriteOutcome,
} from "./outcomes.ts";
import { type HandOverMark, HistoryInDoubt } from "./restoration.ts";

export interface TaskRunnerOptions {
  readonly write: WriteOutcome;
  readonly clock: Clock;
  readonly carriers: Pick<Carriers, "named" | "isRemoved" | "ledgerOf" | "traitsOf">;
  readonly logger: Logger;
  readonly prices: PriceList;
  readonly mark: HandOverMark;
  readonly callTimeoutMs: number;
  readonly leaseMs: number;
  readonly notifyCallbacks: () => void;
  /** Called with each answer of a carrier. `unreached` says why the carrier could not be reached. */
  readonly noteReach: (provider: string, unreached: string | undefined) => void;
}

type SubmitTask = Extract<Task, { kind: "submit" }>;
type FindTask = Extract<Task, { kind: "find" }>;

/** How to record the provider's answer. The most common answer is recorded in batches. */
type Recording = OwnRecording | TakenSubmission;

/** Records one answer in its own transaction. */
type OwnRecording = (answered: Answered) => Promise<DueAgain | undefined>;

/** First and longest pause after an interrupted submission. The pause doubles with each attempt. */
const BROKEN_OFF_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Shown with the message in place of an internal error. */
const BROKEN_OFF = "the submission was interrupted before the message left";
/** How often, and for how long, to retry recording an answer that the carrier will not repeat. */
const RECORD_AGAIN_MS = 1_000;
const RECORDED_WITHIN_MS = 5 * 60_000;

export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #calls: ProviderCalls;
  readonly #taken: Batcher<TakenSubmission, DueAgain | undefined>;
  #isStopping = false;

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
    this.#calls = new ProviderCalls(options.clock, options.callTimeoutMs);
    const { clock, prices, logger, write } = options;
    this.#taken = new Batcher({
      write: (work) => write(work, "together"),
      keyOf: ({ task }) => task.message.messageId,
      recordAll: async (tx, taken) => {
        const held = inLockOrder(taken, ({ task }) => [task.message.messageId]);
        for (const { task } of held) lockMessage(tx, task.message.messageId);
        const dueAgain = await recordAllTaken({ tx, now: clock.now(), prices }, taken);
        return taken.map(() => dueAgain);
      },
      recordOne: (taken) => this.#recordTaken(taken),
      onSplit: (error) => logger.warn({ err: error }, "failed to record a batch; recording its items one by one"),
    });
  }

  /** Abandons all calls in flight. Each is recorded as in doubt. */
  abandonCalls(): void {
    this.#isStopping = true;
    this.#calls.abandonAll();
  }

  /** Calls the provider and records its answer. Returns the time at which to claim the message again; undefined if never. */
  async perform(task: Task): Promise<DueAgain | undefined> {
    const { clock, carriers, callTimeoutMs } = this.#options;
    const provider = carriers.named(task.provider);
    const timeoutMs = task.kind === "submit" ? (provider?.callTimeoutMs ?? callTimeoutMs) : callTimeoutMs;
    if (mayOutlast(task, timeoutMs, clock) || sometimes("a lease is nearly over")) {
      reached("a task began too late for its lease");
      return endOfLease(task);
    }
    const recording = await (task.kind === "submit" ? this.#submit(provider, task) : this.#find(provider, task));
    if (typeof recording !== "function") return this.#taken.record(recording);
    return this.#record(recording, { task, provider: task.provider });
  }

  async #submit(provider: Provider | undefined, task: SubmitTask): Promise<Recording> {
    const { message } = task;
    // the provider was removed after the claim, so the next carrier gets the message
    if (provider === undefined || this.#options.carriers.isRemoved(task.provider))
      return (answered) => recordSubmission(answered, { outcome: "not-begun" });
    let leaving = task;
    const asLeft = (answered: Answered) => (leaving === task ? answered : { ...answered, task: leaving });
    try {
      const said = await this.#calls.run((bounds) => {
        const handOver = async () => {
          leaving = await this.#handOver(leaving, bounds.signal, provider.answerTimeoutMs);
          if (provider.answerTimeoutMs !== undefined) bounds.allow(provider.answerTimeoutMs);
        };
        const call: SubmitCall = {
          get signal() {
            return bounds.signal;
          },
          handOver,
        };
        return provider.submit(submissionOf(task), call);
      }, provider.callTimeoutMs);
      const answer = cleanAnswer(said);
      this.#noteReach(task.provider, answer);
      if (answer.outcome === "failed") this.#warn(answer.detail, message, "the provider failed to accept a message");
      if (answer.outcome === "deferred") this.#warn(answer.detail, message, "the provider deferred a message");
      if (answer.outcome === "taken" && answer.parts === undefined && message.channel !== "VOICE") {
        const { providerMessageId } = answer;
        return { task: leaving, provider: task.provider, isReviewed: provider.review !== undefined, providerMessageId };
      }
      return async (answered) => {
        const dueAgain = await this.#recordOrLate(asLeft(answered), answer);
        // even if the lease was lost, receipts of these parts belong to this message
        if (answer.outcome === "taken" && answer.parts !== undefined) {
          const ledger = this.#options.carriers.ledgerOf(task.provider);
          await recordParts({ ...answered, ledger }, message, answer.parts);
        }
        return dueAgain;
      };
    } catch (error) {
      if (error instanceof CallAbandoned && !this.#isStopping) this.#options.noteReach(task.provider, error.message);
      const { handsOver } = this.#options.carriers.traitsOf(task.provider);
      const isUnsent = leaving === task && (handsOver || provider.find === undefined);
      if (provider.find !== undefined && !isUnsent) {
        reached("a submission is in doubt");
        this.#warn(error, message, "a submission is in doubt: looking it up at the provider");
        return (answered) => recordSubmission(asLeft(answered), { outcome: "ambiguous" });
      }
      if (!isUnsent) {
        reached("it is unknown whether a message was accepted");
        this.#warn(error, message, "it is unknown whether the provider accepted a message; it will not be sent again");
        return (answered) => recordFinding(asLeft(answered), { outcome: "never" });
      }
      reached("a submission was interrupted before its message left");
      this.#warn(error, message, "a submission was interrupted before the message left; retrying");
      const retryAfterMs = Math.min(BROKEN_OFF_MS * 2 ** message.attempts, LONGEST_PAUSE_MS);
      return (answered) => this.#recordOrLate(answered, { outcome: "deferred", retryAfterMs, detail: BROKEN_OFF });
    }
  }

  /**
   * Records that the message is about to leave. Rejects if it must not leave, because its lease was lost or its time is
   * over.
   */
  async #handOver(task: SubmitTask, signal: AbortSignal, answerTimeoutMs = 0): Promise<SubmitTask> {
    const { clock, callTimeoutMs, leaseMs, mark } = this.#options;
    const { message, token, giveUpAt } = task;
    let earlier = mark.latest;
    const save: Work<OutboxRow | undefined> = (tx) => {
      earlier = mark.latest;
      lockMessage(tx, message.messageId);
      const now = clock.now();
      // the lease exceeds the answer's timeout by the same margin as any lease exceeds its call's timeout
      const expiresAt = Math.max(task.leaseExpiresAt, now + answerTimeoutMs + leaseMs - callTimeoutMs);
      return saveHandOver(tx, message, { token, expiresAt, giveUpAt, now });
    };
    const write = () => {
      signal.throwIfAborted();
      return this.#options.write(save, "together");
    };
    const handedOver = await runUntilKnown(write, { clock });
    if (handedOver === undefined) {
      reached("a message was not handed over because its lease was lost");
      throw new Error("this process has lost the lease of the message");
    }
    // do not note a message that will not leave: its note could replace those of messages that left in the meantime
    signal.throwIfAborted();
    await mark.note({ messageId: message.messageId, attempt: message.attempts + 1 }, earlier);
    signal.throwIfAborted();
    return { ...task, message: handedOver };
  }

  async #find(provider: Provider | undefined, { message, accepted }: FindTask): Promise<OwnRecording> {
    // a removed provider without events cannot answer; ask again later, in case it comes back
    if (provider === undefined) return (answered) => recordFinding(answered, { outcome: "unknown" });
    if (accepted !== null && provider.review !== undefined) return this.#review(provider, message, accepted);
    if (provider.find === undefined) return (answered) => recordFinding(answered, { outcome: "never" });
    const find = provider.find.bind(provider);
    try {
      const answer = cleanAnswer(await this.#calls.run(({ signal }) => find(message.messageId, signal)));
      return (answered) => recordFinding(answered, answer);
    } catch (error) {
      reached("a look-up was not answered");
      this.#warn(error, message, "failed to look up a message at the provider; retrying");
      return (answered) => recordFinding(answered, { outcome: "unknown" });
    }
  }

  async #review(provider: Provider, message: OutboxRow, providerMessageId: string): Promise<OwnRecording> {
    const { messageId: clientReference, channel } = message;
    const accepted = { clientReference, providerMessageId, channel };
    try {
      await this.#calls.run(async ({ signal }) => provider.review?.(accepted, signal));
      reached("a message without a final receipt was reviewed");
      return (answered) => recordFinding(answered, { outcome: "reviewed" });
    } catch (error) {
      reached("a review was not answered");
      this.#warn(error, message, "failed to ask the provider what became of a message; retrying");
      return (answered) => recordFinding(answered, { outcome: "unknown" });
    }
  }

  /**
   * Records an answer. If the carrier cannot be asked again, retries on failure, because only this process knows the
   * answer.
   */
  async #record(
    record: OwnRecording,
    { task, provider }: Pick<Answered, "task" | "provider">,
  ): Promise<DueAgain | undefined> {
    const { write, clock, logger, prices, notifyCallbacks } = this.#options;
    const isAskable = !this.#isMute(provider);
    const isReviewed = this.#options.carriers.named(provider)?.review !== undefined;
    const { message } = task;
    const giveUpAt = clock.now() + RECORDED_WITHIN_MS;
    for (;;) {
      try {
        const { dueAgain, hasCallbacks } = await write(
          async (tx) => {
            lockMessage(tx, message.messageId);
            // read the time on each try: on PostgreSQL, claims skip rows whose due time is seconds before they were
            // written
            const whole = { tx, now: clock.now(), prices, task, provider, isReviewed, changes: collectChanges() };
            const dueAgain = await record(whole);
            return { dueAgain, hasCallbacks: await concludeChanges(whole) };
          },
          message.channel === "VOICE" ? undefined : "together",
        );
        if (hasCallbacks) notifyCallbacks();
        return dueAgain;
      } catch (error) {
        const isOver = isAskable || this.#isStopping || clock.now() >= giveUpAt;
        const next = isAskable ? "the provider is asked again when the lease ends" : "retrying";
        const words =
          isOver && !isAskable
            ? "failed to record an answer; it stays in doubt"
            : `failed to record an answer; ${next}`;
        // these errors are expected until the instances have compared their last hand-overs, or until a restored
        // message has been looked up
        const isForeseen = error instanceof HistoryInDoubt || error instanceof ReportedTooEarly;
        if (isOver || !isForeseen) logger.error({ err: error, messageId: message.messageId }, words);
        reached(isOver ? "an answer was not recorded" : "an answer is recorded on a retry");
        if (isOver) return endOfLease(task);
        await new Promise<void>((resolve) => clock.at(clock.now() + RECORD_AGAIN_MS, resolve));
      }
    }
  }

  /** Records one accepted submission in its own transaction. */
  #recordTaken({ task, provider, providerMessageId }: TakenSubmission): Promise<DueAgain | undefined> {
    const record: OwnRecording = (answered) => this.#recordOrLate(answered, { outcome: "taken", providerMessageId });
    return this.#record(record, { task, provider });
  }

  /**
   * Records the outcome of a submission. If its lease is over and its carrier cannot be asked, records it as a late
   * answer, because only this process knows it.
   */
  async #recordOrLate(answered: Answered, answer: SubmitOutcome): Promise<DueAgain | undefined> {
    const dueAgain = await recordSubmission(answered, answer);
    const { now, provider, task } = answered;
    if (dueAgain !== undefined || !this.#isMute(provider)) return dueAgain;
    const { messageId: clientReference, attempts } = task.message;
    const attempt = attempts + 1;
    const late = { kind: "late-answer", clientReference, answer, attempt } as const;
    const reported = { ...answered, ledger: this.#options.carriers.ledgerOf(provider) };
    const recorded = await recordLateAnswer(reported, { ...late, eventId: nameLateAnswer(clientReference, attempt) });
    if (recorded === "queued") return { kind: "submit", dueAt: now };
    // the last claim queued the message in the find lane, so no alarm was set for its receipt
    if (answer.outcome !== "taken") return undefined;
    return { kind: kindOf("awaiting"), dueAt: receiptDueAt(now, answered.isReviewed) };
  }

  /** Returns whether the carrier cannot look up messages. */
  #isMute(provider: string): boolean {
    const { carriers } = this.#options;
    return carriers.named(provider)?.find === undefined || carriers.traitsOf(provider).handsOver;
  }

  #noteReach(provider: string, answer: SubmitOutcome): void {
    if ("isUnasked" in answer && answer.isUnasked === true) return;
    const isUnreached = answer.outcome === "deferred" && answer.isUnreached === true;
    this.#options.noteReach(provider, isUnreached ? answer.detail : undefined);
  }

  #warn(error: unknown, { messageId }: OutboxRow, text: string): void {
    this.#options.logger.warn({ err: error, messageId }, text);
  }
}

/** Returns the end of the lease: a message without a recorded answer is claimed again then. */
function endOfLease({ kind, leaseExpiresAt }: Task): DueAgain {
  return { kind, dueAt: leaseExpiresAt };
}

function submissionOf(task: SubmitTask): Submission {
  const { message, sender, textNumber, content, call: leg, expiresAt: giveUpAt } = task;
  const call = leg && { ...leg, isRecorded: leg.isRecorded === 1 };
  return toSubmission(message, { sender, textNumber, content, giveUpAt, call });
}
