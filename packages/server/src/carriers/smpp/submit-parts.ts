// Submits the parts of a message one at a time, in order: each after the part before it was accepted. A response with
// an error proves that its part was not accepted.
//
// | Parts accepted | Response              | Message                                                               |
// |----------------|-----------------------|-----------------------------------------------------------------------|
// | any            | ESME_ROK              | sends the next part; `taken` after the last part                      |
// | none           | any error             | `deferred`, `refused` or `failed`, by the status: nothing was sent    |
// | some           | error: try later      | waits, then sends the part again, until `answerTimeoutMs` has passed  |
// | some           | any other error       | in doubt: accepted parts cannot be taken back, and others are missing |
// | any            | none, or session lost | in doubt                                                              |
//
// A late response settles the doubt if it decides the whole message: ESME_ROK to the last part, or an error to the
// first.

import type { PDU } from "smpp";
import { Alarm } from "../../platform/alarm.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Submission, SubmitOutcome } from "../provider.ts";
import {
  type EncodedText,
  encodeText,
  judgeStatus,
  nameStatus,
  type SmppAddress,
  toSmppAddress,
  type Verdict,
} from "./pdus.ts";
import type { Session } from "./session.ts";
import type { SmppSettings } from "./settings.ts";

/** The ids are exactly as the carrier wrote them. */
export type PartsOutcome =
  | { readonly outcome: "taken"; readonly ids: readonly string[] }
  | Exclude<SubmitOutcome, { outcome: "taken" }>;

export interface SubmitPartsOptions {
  readonly clock: Clock;
  readonly answerTimeoutMs: number;
  /** Called with the outcome if it becomes known after the rejection. */
  readonly takeLate: (outcome: PartsOutcome) => void;
}

/** Sends the parts of one message. The first part is written synchronously. Rejects if the outcome is unknown. */
export async function submitParts(
  session: Session,
  parts: readonly object[],
  { clock, answerTimeoutMs, takeLate }: SubmitPartsOptions,
): Promise<PartsOutcome> {
  const answerBy = clock.now() + answerTimeoutMs;
  const ids: string[] = [];
  const toDoubt = (why: string) =>
    new Error(`part ${ids.length + 1} of ${parts.length}, after other parts were accepted: ${why}`);

  /** Waits at least `pauseMs`, and until the session's rate allows another submission. */
  async function waitForRoom(pauseMs: number): Promise<void> {
    let waitMs = Math.max(pauseMs, session.rate.waitMs(clock.now()));
    for (; waitMs > 0; waitMs = session.rate.waitMs(clock.now())) {
      const dueAt = clock.now() + waitMs;
      if (dueAt >= answerBy) throw toDoubt("no time is left");
      await new Promise<void>((resume) => clock.at(dueAt, resume));
    }
    if (!session.isReady) throw toDoubt("the session ended");
    session.rate.noteSent(clock.now());
  }

  function settleLate({ command_status, message_id = "" }: PDU): void {
    const verdict = judgeStatus(command_status);
    if (verdict.kind !== "taken") {
      if (ids.length === 0) takeLate(toOutcome(verdict, nameStatus(command_status)));
    } else if (ids.length + 1 === parts.length) {
      takeLate({ outcome: "taken", ids: [...ids, message_id] });
    }
  }

  for (let part = parts[0]; part !== undefined; part = parts[ids.length]) {
    const sentAt = clock.now();
    const response = await session.request("submit_sm", part, answerBy - sentAt, settleLate);
    const { command_status, message_id = "" } = response;
    const verdict = judgeStatus(command_status);
    if (verdict.kind === "taken") {
      session.rate.noteTaken();
      ids.push(message_id);
      if (ids.length < parts.length) await waitForRoom(0);
      continue;
    }
    if (verdict.kind === "later" && verdict.isTooFast) session.rate.noteThrottled({ sentAt, now: clock.now() });
    const detail = nameStatus(command_status);
    if (ids.length === 0) return toOutcome(verdict, detail);
    if (verdict.kind !== "later") throw toDoubt(detail);
    await waitForRoom(verdict.retryAfterMs);
  }
  return { outcome: "taken", ids };
}

function toOutcome(verdict: Exclude<Verdict, { kind: "taken" }>, detail: string): PartsOutcome {
  switch (verdict.kind) {
    case "later":
      return { outcome: "deferred", retryAfterMs: verdict.retryAfterMs, detail };
    case "refused":
      return { outcome: "refused", reason: verdict.reason, isOptOut: false, detail };
    case "failed":
      return { outcome: "failed", detail };
  }
}

const UDH_INDICATOR = 0x40;
/** Requests a receipt for any final state. */
const RECEIPT_REQUESTED = 1;
const SECOND_MS = 1_000;
/** Most carriers keep a text for two days. They reject a longer validity (ESME_RINVEXPIRY) or shorten it. */
const LONGEST_VALIDITY_MS = 48 * 60 * 60 * SECOND_MS;
/** A validity that ends before the text arrives would be rejected, too. */
const SHORTEST_VALIDITY_MS = 60 * SECOND_MS;

/** Number of different references with `sar`. A header has the lower 8 bits. */
const REFERENCES = 0x1_0000;

/**
 * Returns the fields of a message's submit_sm PDUs, one per part and in order. A phone joins the parts of a sender with the
 * same reference. So the reference is the text's number: it differs from those of the last 255 texts to the phone, whatever
 * instance sent them.
 */
export function toSubmitFields(
  { sender, textNumber = 0, to, content, giveUpAt }: Submission,
  settings: SmppSettings,
  now: number,
): readonly object[] {
  const source = toSource(sender ?? settings.sender, settings);
  const destination = toSmppAddress(to);
  const { recipientTon = destination.ton, recipientNpi = destination.npi } = settings;
  const text = encodeText(content, settings.alphabet);
  const fields = {
    service_type: settings.serviceType,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: recipientTon,
    dest_addr_npi: recipientNpi,
    destination_addr: destination.address,
    validity_period: formatValidity(giveUpAt - now),
    registered_delivery: RECEIPT_REQUESTED,
    data_coding: text.dataCoding,
  };
  return toPartFields(text, settings.longTexts, textNumber % REFERENCES).map((part) => ({ ...fields, ...part }));
}

/** A merchant's number may have another form than the carrier's sender; its type and plan then follow from its form. */
function toSource(address: string, settings: SmppSettings): SmppAddress {
  const source = toSmppAddress(address);
  if (source.ton !== toSmppAddress(settings.sender).ton) return source;
  const { senderTon: ton = source.ton, senderNpi: npi = source.npi } = settings;
  return { ...source, ton, npi };
}

function toPartFields(
  { parts }: EncodedText,
  longTexts: SmppSettings["longTexts"],
  reference: number,
): readonly object[] {
  if (parts.length === 1) return [{ short_message: parts[0] }];
  if (longTexts === "payload") return [{ message_payload: Buffer.concat(parts) }];
  const total = parts.length;
  return parts.map((part, index) => {
    const number = index + 1;
    if (longTexts === "sar") {
      const sar = { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: number };
      return { short_message: part, ...sar };
    }
    // Length of the header, then element 0 (3GPP TS 23.040, 9.2.3.24.1) with 3 octets. Element 8 has a reference of 16 bits,
    // but takes a septet from each part, so that texts would have more parts than they are charged for.
    const header = Buffer.from([5, 0, 3, reference & 0xff, total, number]);
    return { esm_class: UDH_INDICATOR, short_message: Buffer.concat([header, part]) };
  });
}

/**
 * Formats a relative time, YYMMDDhhmmss000R (SMPP 3.4, 7.1.1). A carrier might read an absolute time in another time
 * zone.
 */
function formatValidity(leftMs: number): string {
  const validityMs = Math.min(Math.max(leftMs, SHORTEST_VALIDITY_MS), LONGEST_VALIDITY_MS);
  const seconds = Math.floor(validityMs / SECOND_MS);
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60].map(Math.floor);
  return `0000${[days, hours, minutes, seconds % 60].map((unit) => String(unit).padStart(2, "0")).join("")}000R`;
}

interface SubmissionQueueOptions {
  readonly clock: Clock;
  /** Maximum number of messages in flight per session. */
  readonly window: number;
  readonly listBound: () => readonly Session[];
}

/**
 * Queue of messages that wait for a bound session with room in its window and rate. Prefers the session that can send
 * soonest, then the one with the fewest messages in flight.
 */
export class SubmissionQueue {
  readonly #options: SubmissionQueueOptions;
  readonly #alarm: Alarm;
  readonly #waiting = new Set<(session: Session | undefined) => void>();
  readonly #underWay = new Map<Session, number>();

  constructor(options: SubmissionQueueOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.advance());
  }

  /** Waits for a session; the caller must `leave` it. Resolves to undefined if none is bound. Rejects if aborted. */
  enter(signal: AbortSignal): Promise<Session | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => {
        this.#waiting.delete(serve);
        reject(signal.reason);
      };
      const serve = (session: Session | undefined) => {
        signal.removeEventListener("abort", abort);
        resolve(session);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(serve);
      this.advance();
    });
  }

  leave(session: Session): void {
    const left = (this.#underWay.get(session) ?? 0) - 1;
    if (left > 0) this.#underWay.set(session, left);
    else this.#underWay.delete(session);
    this.advance();
  }

  /** Serves waiting messages. Call when a session is bound or ends. */
  advance(): void {
    const { clock, window, listBound } = this.#options;
    const bound = listBound();
    for (const serve of this.#waiting) {
      const now = clock.now();
      const [next] = bound
        .map((session) => ({ session, underWay: this.#underWay.get(session) ?? 0, waitMs: session.rate.waitMs(now) }))
        .filter(({ underWay }) => underWay < window)
        .sort((one, other) => one.waitMs - other.waitMs || one.underWay - other.underWay);
      if (next === undefined && bound.length > 0) return;
      if (next !== undefined) {
        if (next.waitMs > 0) {
          this.#alarm.set(now + next.waitMs);
          return;
        }
        this.#underWay.set(next.session, next.underWay + 1);
        next.session.rate.noteSent(now);
      }
      this.#waiting.delete(serve);
      serve(next?.session);
    }
  }
}
