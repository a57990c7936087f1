// Texts over SMPP 3.4: keeps sessions bound, submits messages, and receives receipts and texts. Messages cannot be
// looked up, so a message that was handed over but not answered stays in doubt.

import type { PDU } from "smpp";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { type ConnectionWatch, endWithin, Link } from "../link.ts";
import {
  type EventSink,
  nameLateAnswer,
  type Provider,
  type ProviderEvent,
  type Submission,
  type SubmitCall,
  type SubmitOutcome,
} from "../provider.ts";
import { describeReceipt, isReceipt, normaliseMessageId, readReceipt, readTextPart, TextJoiner } from "./inbound.ts";
import { loadPduCodec } from "./pdus.ts";
import { type BindRole, Session } from "./session.ts";
import type { SmppSettings } from "./settings.ts";
import { type PartsOutcome, SubmissionQueue, submitParts, toSubmitFields } from "./submit-parts.ts";

/** Bounds of the pause before a message without a bound session is retried. The pause equals the time without a session. */
const SHORTEST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/**
 * Interval between reports of a late answer, and their total time. They repeat until recorded because the carrier
 * answers only once.
 */
const REPORT_AGAIN_MS = 1_000;
const REPORTED_WITHIN_MS = 5 * 60_000;
/** Time for which `stop` waits for responses to submissions. */
const DRAIN_MS = 5_000;

export interface SmppCarrierOptions {
  readonly name: string;
  readonly settings: SmppSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timeout of a submission up to the hand-over, in milliseconds. @default 10000 */
  readonly callTimeoutMs?: number;
  /** Timeout of the responses to all parts, in milliseconds. @default 60000 */
  readonly answerTimeoutMs?: number;
  /** Returns 0 to 1, to vary the pauses between attempts to connect. @default Math.random */
  readonly random?: () => number;
}

/** Opens a carrier of SMS, which binds when it is started. Rejects like `import` if `smpp` is not installed. */
export async function openSmppCarrier(options: SmppCarrierOptions): Promise<Provider> {
  const { name, settings, clock, logger } = options;
  const { callTimeoutMs = 10_000, answerTimeoutMs = 60_000, random = Math.random } = options;
  const pdus = await loadPduCodec();
  const submitting = new Set<Promise<SubmitOutcome>>();
  const reporting = new Set<Promise<void>>();
  let sink: EventSink | undefined;
  let noteReach: (unreached?: string) => void = () => {};
  let unboundSince: number | undefined;
  let lastFailure = "the carrier was not started";

  const joiner = new TextJoiner(clock, (text) => report({ kind: "inbound", ...text }));
  const roles: readonly BindRole[] = settings.bind === "separate" ? ["transmitter", "receiver"] : ["transceiver"];
  const links = roles.flatMap((role) => {
    const connect = (watch: ConnectionWatch) => new Session({ role, settings, clock, pdus, take, ...watch });
    const onEnd = (reason: string) => noteEnd(role, reason);
    return Array.from(
      { length: settings.binds },
      () => new Link({ clock, random, connect, onReady: noteBound, onEnd }),
    );
  });
  const queue = new SubmissionQueue({ clock, window: settings.window, listBound });

  /** Lists the sessions that accept messages. There are none before the start or after the stop. */
  function listBound(): readonly Session[] {
    if (sink === undefined) return [];
    return links.flatMap(({ ready }) => ready ?? []).filter(({ isForSubmissions }) => isForSubmissions);
  }

  function noteBound(): void {
    if (listBound().length === 0) return;
    unboundSince = undefined;
    queue.advance();
    noteReach();
  }

  function noteEnd(role: BindRole, reason: string): void {
    if (role !== "receiver") lastFailure = reason;
    if (listBound().length === 0) unboundSince ??= clock.now();
    if (sink !== undefined) logger.warn({ carrier: name, role, reason }, "an SMPP session ended; opening another");
    queue.advance();
    if (listBound().length === 0) noteReach(putOff().detail);
  }

  async function report(event: ProviderEvent): Promise<void> {
    if (sink === undefined) throw new Error("the carrier was stopped");
    const recorded = sink(event);
    reporting.add(recorded);
    try {
      await recorded;
    } catch (error) {
      logger.warn(
        { err: error, carrier: name },
        "failed to record a carrier's report; the carrier is expected to repeat it",
      );
      throw error;
    } finally {
      reporting.delete(recorded);
    }
  }

  async function take(pdu: PDU, deliveryId: string): Promise<void> {
    if (!isReceipt(pdu)) return joiner.take({ deliveryId, ...readTextPart(pdu, settings) });
    const receipt = readReceipt(pdu, settings.receiptIds);
    if (receipt === undefined || receipt.hasUnknownState) {
      logger.warn({ carrier: name, ...describeReceipt(pdu) }, "got a receipt without a message id or a known state");
    }
    if (receipt !== undefined) await report({ ...receipt, coversAllParts: settings.receipts === "one" });
  }

  async function submit(submission: Submission, { signal, handOver }: SubmitCall): Promise<SubmitOutcome> {
    const parts = toSubmitFields(submission, settings, clock.now());
    const session = await queue.enter(signal);
    if (session === undefined) return putOff();
    try {
      await handOver();
      signal.throwIfAborted();
      // if the session ended, nothing was sent
      if (!session.isReady) return putOff();
      // from here on only the session's own timeout applies: an abort cannot take the parts back
      const takeLate = (late: PartsOutcome) => void reportLate(submission, toOutcome(late, submission));
      const answer = await submitParts(session, parts, { clock, answerTimeoutMs, takeLate });
      return toOutcome(answer, submission);
    } finally {
      queue.leave(session);
    }
  }

  function putOff(): SubmitOutcome & { outcome: "deferred" } {
    const downMs = clock.now() - (unboundSince ?? clock.now());
    const retryAfterMs = Math.min(Math.max(downMs, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
    const detail = `not bound to ${settings.host}:${settings.port}: ${lastFailure}`;
    return { outcome: "deferred", retryAfterMs, detail, isUnreached: true };
  }

  /** Reports an answer that arrived after `submit` had rejected, repeatedly until it is recorded. */
  async function reportLate({ clientReference, attempts }: Submission, answer: SubmitOutcome): Promise<void> {
    const attempt = attempts + 1;
    const eventId = nameLateAnswer(clientReference, attempt);
    const giveUpAt = clock.now() + REPORTED_WITHIN_MS;
    while (sink !== undefined && clock.now() < giveUpAt) {
      try {
        return await report({ kind: "late-answer", eventId, clientReference, answer, attempt });
      } catch {
        await new Promise<void>((resolve) => clock.at(clock.now() + REPORT_AGAIN_MS, resolve));
      }
    }
  }

  /** Converts the answer. A part without an id gets a made-up id that matches no receipt. */
  function toOutcome(answer: PartsOutcome, { clientReference }: Submission): SubmitOutcome {
    if (answer.outcome !== "taken") return answer;
    const parts = answer.ids.map((id, index) => {
      return normaliseMessageId(id, "response", settings.receiptIds) || `${clientReference}-${index + 1}`;
    });
    return { outcome: "taken", providerMessageId: parts[0] ?? clientReference, parts };
  }

  return {
    name,
    callTimeoutMs,
    answerTimeoutMs,
    async submit(submission, call) {
      const outcome = submit(submission, call);
      submitting.add(outcome);
      try {
        return await outcome;
      } finally {
        submitting.delete(outcome);
      }
    },
    capacity: () => listBound().reduce((sum, { rate }) => sum + Math.min(settings.window, rate.fairShare), 0),
    isBusy: () => reporting.size > 0,
    start(newSink, newNoteReach = () => {}) {
      sink = newSink;
      noteReach = newNoteReach;
      unboundSince = clock.now();
      lastFailure = "no connection yet";
      for (const one of links) one.open();
    },
    async stop() {
      sink = undefined;
      noteReach = () => {};
      lastFailure = "the carrier was stopped";
      joiner.stop();
      queue.advance();
      await endWithin(clock, DRAIN_MS, Promise.allSettled(submitting));
      // includes reports from sessions that have ended
      await Promise.allSettled(reporting);
      await Promise.all(links.map((one) => one.close()));
    },
  };
}
