// Behaviours of the simulated provider and its recipients, in tables keyed by the recipient's address.

import type { CallOutcome } from "../../domain/calls/rules.ts";
import type { DeliveryReason } from "../../domain/messages/rules.ts";
import type { CallReport, CallTerms, Submission, SubmitOutcome } from "../provider.ts";

/** A call report, sent `afterMs` after dialling. */
interface CallHappening {
  readonly afterMs: number;
  readonly kind: "call";
  readonly report: CallReport;
}

const RING_MS = 200;
const ANSWER_MS = 500;
const PLAY_MS = 550;
const END_MS = 900;
/** Ring time of the slow number. It is below the default ring timeout. */
const SLOW_RING_MS = 25_000;
/** Reported length of the speech. No simulated time passes while the speech is played. */
const SPOKEN_SECONDS = 20;

function tell(afterMs: number, report: CallReport): CallHappening {
  return { afterMs, kind: "call", report };
}

/** Reports of a call that is answered after `ringMs`; a person or a machine listens for `durationSeconds`. */
function answered(outcome: CallOutcome, durationSeconds = SPOKEN_SECONDS, ringMs = ANSWER_MS): CallHappening[] {
  const laterMs = ringMs - ANSWER_MS;
  return [
    tell(RING_MS, { stage: "RINGING" }),
    tell(ringMs, { stage: "ANSWERED" }),
    tell(PLAY_MS + laterMs, { stage: "PLAYING" }),
    tell(END_MS + laterMs, { stage: "ENDED", outcome, durationSeconds }),
  ];
}

/** Reports of a call that is answered, but in which nothing is played. */
function unheard(outcome: CallOutcome, durationSeconds: number): CallHappening[] {
  return answered(outcome, durationSeconds).filter(({ report }) => report.stage !== "PLAYING");
}

/** Reports of a call that rings unanswered. */
function unanswered(outcome: CallOutcome): CallHappening[] {
  return [tell(RING_MS, { stage: "RINGING" }), tell(END_MS, { stage: "ENDED", outcome, durationSeconds: 0 })];
}

/** Reports of a call that does not ring. */
function refused(outcome: CallOutcome): CallHappening[] {
  return [tell(RING_MS, { stage: "ENDED", outcome, durationSeconds: 0 })];
}

const heard: readonly CallHappening[] = answered("HEARD");

/** Keyed by the last two digits of `+1 NPA 555 01XX`. A call to any other number ends as HEARD. */
const callHappenings: Readonly<Record<string, readonly CallHappening[]>> = {
  "01": answered("HEARD", SPOKEN_SECONDS, SLOW_RING_MS),
  "02": [tell(RING_MS, { stage: "RINGING" })],
  "10": refused("UNREACHABLE"),
  "11": refused("BLOCKED"),
  "12": refused("UNKNOWN_HANDSET"),
  "14": refused("CARRIER_FILTERED"),
  "15": refused("CARRIER_UNKNOWN"),
  "16": refused("UNREGISTERED_SENDER"),
  "18": unanswered("NO_ANSWER"),
  "30": refused("BUSY"),
  "31": unanswered("NO_ANSWER"),
  "32": answered("VOICEMAIL"),
  "33": answered("HANGUP", 0.4 * SPOKEN_SECONDS),
  "34": refused("INVALID_NUMBER"),
  "35": unanswered("BLOCKED"),
  "36": unheard("FAX", 5),
  "38": unheard("PLAYBACK_FAILED", 5),
  "39": answered("HEARD", 125),
  "60": heard.flatMap((happening) => [happening, happening]),
  "61": heard.map(({ report }, index) => tell((heard.length - index) * RING_MS, report)),
};

/** Lists the reports of a call to the number. A call that is not answered within its ring timeout is hung up. */
function listHappenings(key: string, terms: CallTerms | undefined): readonly CallHappening[] {
  const happenings = Object.hasOwn(callHappenings, key) ? (callHappenings[key] ?? heard) : heard;
  const ringMs = terms === undefined ? Number.POSITIVE_INFINITY : terms.ringSeconds * 1_000;
  const isLate = happenings.some(({ report, afterMs }) => report.stage === "ANSWERED" && afterMs > ringMs);
  if (!isLate) return happenings;
  const before = happenings.filter(({ report, afterMs }) => report.stage === "RINGING" && afterMs <= ringMs);
  return [...before, tell(ringMs, { stage: "ENDED", outcome: "NO_ANSWER", durationSeconds: 0 })];
}

/**
 * Fault injected into the provider's next submissions. Not accepted: `timeout` (no answer), `server_error` (5xx),
 * `rate_limit` (429). Accepted: `lost_answer` (no answer), `lost_receipts` (no receipts), `late_receipts` (receipts a
 * minute late), `duplicate_receipts` (each receipt twice).
 */
export type ProviderFaultKind =
  | "timeout"
  | "lost_answer"
  | "server_error"
  | "rate_limit"
  | "lost_receipts"
  | "late_receipts"
  | "duplicate_receipts";

/** Course of one submission. `answer` is null if the answer is lost on the way. */
export interface SubmissionCourse {
  readonly isTaken: boolean;
  readonly answer: "taken" | Exclude<SubmitOutcome, { outcome: "taken" }> | null;
}

/** Event that the provider reports after accepting a message. */
export type Happening = { readonly afterMs: number } & (
  | {
      readonly kind: "receipt";
      readonly status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
      readonly reason: DeliveryReason | null;
    }
  | { readonly kind: "opt-out"; readonly cause: "COMPLAINT" }
  | { readonly kind: "reply"; readonly text: string }
  | Pick<CallHappening, "kind" | "report">
);

export interface Behaviour {
  /** One entry per submission of the message; the last one repeats. */
  readonly submit: readonly [SubmissionCourse, ...SubmissionCourse[]];
  /** Whether the provider answers look-ups of a submission. */
  readonly answersFind: boolean;
  readonly happenings: readonly Happening[];
}

const RECEIPT_MS = 300;
const REPLY_MS = 600;
const SLOW_MS = 30_000;
const LATE_MS = 60_000;

const take: SubmissionCourse = { isTaken: true, answer: "taken" };
const takeUnheard: SubmissionCourse = { isTaken: true, answer: null };
const lose: SubmissionCourse = { isTaken: false, answer: null };
const fail: SubmissionCourse = { isTaken: false, answer: { outcome: "failed", detail: "503 Service Unavailable" } };
const rateLimit: SubmissionCourse = {
  isTaken: false,
  answer: { outcome: "deferred", retryAfterMs: 500, detail: "429 Too Many Requests" },
};

function refuse(reason: DeliveryReason, isOptOut = false): SubmissionCourse {
  return { isTaken: false, answer: { outcome: "refused", reason, isOptOut } };
}

const isDelivered: Happening = { kind: "receipt", status: "DELIVERED", reason: null, afterMs: RECEIPT_MS };

function isUndelivered(reason: DeliveryReason): Happening {
  return { kind: "receipt", status: "UNDELIVERED", reason, afterMs: RECEIPT_MS };
}

function behave(submit: Behaviour["submit"], ...happenings: Happening[]): Behaviour {
  return { submit, happenings, answersFind: true };
}

const delivered = behave([take], isDelivered);
const deliveredLate = behave([take], { ...isDelivered, afterMs: SLOW_MS });
const takenUnheard = behave([takeUnheard], isDelivered);

function delivers(reply: string): Behaviour {
  return behave([take], isDelivered, { kind: "reply", text: reply, afterMs: REPLY_MS });
}

/** Keyed by the last two digits of `+1 NPA 555 01XX`. */
const smsBehaviours: Readonly<Record<string, Behaviour>> = {
  "00": delivered,
  "01": deliveredLate,
  "02": behave([take]),
  "03": takenUnheard,
  "04": behave([lose, take], isDelivered),
  "05": { ...behave([lose]), answersFind: false },
  "10": behave([take], isUndelivered("UNREACHABLE")),
  "11": behave([take], isUndelivered("BLOCKED")),
  "12": behave([take], isUndelivered("UNKNOWN_HANDSET")),
  "13": behave([take], isUndelivered("LANDLINE")),
  "14": behave([take], isUndelivered("CARRIER_FILTERED")),
  "15": behave([take], isUndelivered("CARRIER_UNKNOWN")),
  "16": behave([take], isUndelivered("UNREGISTERED_SENDER")),
  "17": behave([refuse("OPTED_OUT", true)]),
  "18": behave([take], { kind: "receipt", status: "EXPIRED", reason: "TTL_EXPIRED", afterMs: RECEIPT_MS }),
  "20": behave([fail]),
  "21": behave([rateLimit, take], isDelivered),
  "50": delivers("STOP"),
  "51": delivers("START"),
  "52": delivers("HELP"),
  "53": delivers("Thanks, see you on Friday!"),
  "60": behave([take], isDelivered, isDelivered),
  "61": behave([take], isDelivered, { kind: "receipt", status: "SENT", reason: null, afterMs: 2 * RECEIPT_MS }),
};

/** Keyed by the local part, without its `+label`, of an address at simulator.example. */
const emailBehaviours: Readonly<Record<string, Behaviour>> = {
  delivered,
  bounced: behave([take], isUndelivered("UNREACHABLE")),
  complained: behave([take], isDelivered, { kind: "opt-out", cause: "COMPLAINT", afterMs: REPLY_MS }),
  suppressed: behave([refuse("BLOCKED")]),
  delayed: deliveredLate,
  timeout: takenUnheard,
};

const TEST_NUMBER = /^\+1\d{3}55501(\d\d)$/;
const TEST_ADDRESS = /^([^+@]+)(?:\+[^@]*)?@simulator\.example$/i;

/** Returns the behaviour for a submission with an injected fault. */
export function disturb(behaviour: Behaviour, disturbance: ProviderFaultKind): Behaviour {
  const { happenings } = behaviour;
  switch (disturbance) {
    case "timeout":
      return { ...behaviour, submit: [lose] };
    case "lost_answer":
      return { ...behaviour, submit: [takeUnheard] };
    case "server_error":
      return { ...behaviour, submit: [fail] };
    case "rate_limit":
      return { ...behaviour, submit: [rateLimit] };
    case "lost_receipts":
      return { ...behaviour, happenings: [] };
    case "late_receipts":
      return {
        ...behaviour,
        happenings: happenings.map((happening) => ({ ...happening, afterMs: happening.afterMs + LATE_MS })),
      };
    case "duplicate_receipts":
      return { ...behaviour, happenings: happenings.flatMap((happening) => [happening, happening]) };
  }
}

/** Finds the behaviour for an address. Outside the tables, a message ends as DELIVERED and a call as HEARD. */
export function findBehaviour({ channel, to, call }: Pick<Submission, "channel" | "to" | "call">): Behaviour {
  const [pattern, behaviours] = channel === "EMAIL" ? [TEST_ADDRESS, emailBehaviours] : [TEST_NUMBER, smsBehaviours];
  const key = pattern.exec(to)?.[1]?.toLowerCase() ?? "";
  const behaviour = Object.hasOwn(behaviours, key) ? (behaviours[key] ?? delivered) : delivered;
  if (channel !== "VOICE") return behaviour;
  // a call is submitted like an SMS to the same number, except for the opt-out, which only a text can have
  const submit = key === "17" ? delivered.submit : behaviour.submit;
  return { submit, answersFind: behaviour.answersFind, happenings: listHappenings(key, call) };
}

/** An address in the tables, and the outcome of a message to it. */
export interface TestRecipient {
  readonly to: string;
  readonly channel: "SMS" | "EMAIL";
  /** Final status of the message. */
  readonly status: string;
  readonly reason: string | null;
  /** Reply of the recipient, or null. */
  readonly reply: string | null;
  /** Whether the receipt takes half a minute or more. */
  readonly isSlow: boolean;
}

/** Lists the numbers, in area code 202, then the addresses. */
export function listTestRecipients(): TestRecipient[] {
  const numbers = Object.entries(smsBehaviours).sort(([one], [other]) => Number(one) - Number(other));
  return [
    ...numbers.map(([digits, behaviour]) => describe(`+120255501${digits}`, "SMS", behaviour)),
    ...Object.entries(emailBehaviours).map(([name, behaviour]) =>
      describe(`${name}@simulator.example`, "EMAIL", behaviour),
    ),
  ];
}

function describe(to: string, channel: TestRecipient["channel"], behaviour: Behaviour): TestRecipient {
  const { happenings } = behaviour;
  const reply = happenings.find(({ kind }) => kind === "reply");
  return {
    to,
    channel,
    ...endOf(behaviour),
    reply: reply?.kind === "reply" ? reply.text : null,
    isSlow: happenings.some(({ afterMs }) => afterMs >= SLOW_MS),
  };
}

function endOf({ submit, happenings }: Behaviour): Pick<TestRecipient, "status" | "reason"> {
  const { isTaken, answer } = submit[submit.length - 1] ?? submit[0];
  if (answer !== null && answer !== "taken") {
    return { status: "FAILED", reason: answer.outcome === "refused" ? answer.reason : "CARRIER_UNKNOWN" };
  }
  const end = happenings.find((happening) => happening.kind === "receipt" && happening.status !== "SENT");
  if (!isTaken || end?.kind !== "receipt") return { status: "UNKNOWN", reason: null };
  return { status: end.status, reason: end.reason };
}
