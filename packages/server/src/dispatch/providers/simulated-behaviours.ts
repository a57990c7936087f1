// How the simulated provider and its recipients behave: data, chosen by the recipient's address.

import type { DeliveryReason } from "../../rules/delivery.ts";
import type { Submission, SubmitOutcome } from "./provider.ts";
import { type CallHappening, listHappenings } from "./simulated-calls.ts";

/**
 * What the provider does with its next submissions. `timeout`: neither takes nor answers. `lost_answer`: takes, but
 * does not answer. `server_error`: a 5xx. `rate_limit`: a 429. The last three take: `lost_receipts` reports nothing
 * afterwards, `late_receipts` a minute late, `duplicate_receipts` everything twice.
 */
export type ProviderFaultKind =
  | "timeout"
  | "lost_answer"
  | "server_error"
  | "rate_limit"
  | "lost_receipts"
  | "late_receipts"
  | "duplicate_receipts";

/** What happens to one submission; `answer` is null if it is lost on the way. */
export interface SubmitStep {
  readonly isTaken: boolean;
  readonly answer: "taken" | Exclude<SubmitOutcome, { outcome: "taken" }> | null;
}

/** What the provider reports after taking a message. */
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
  /** One step for each submission of the message; the last one repeats. */
  readonly submit: readonly [SubmitStep, ...SubmitStep[]];
  /** Whether it answers questions about a submission. */
  readonly answersFind: boolean;
  readonly happenings: readonly Happening[];
}

const RECEIPT_MS = 300;
const REPLY_MS = 600;
const SLOW_MS = 30_000;
const LATE_MS = 60_000;

const take: SubmitStep = { isTaken: true, answer: "taken" };
const takeUnheard: SubmitStep = { isTaken: true, answer: null };
const lose: SubmitStep = { isTaken: false, answer: null };
const fail: SubmitStep = { isTaken: false, answer: { outcome: "failed", detail: "503 Service Unavailable" } };
const rateLimit: SubmitStep = {
  isTaken: false,
  answer: { outcome: "deferred", retryAfterMs: 500, detail: "429 Too Many Requests" },
};

function refuse(reason: DeliveryReason, isOptOut = false): SubmitStep {
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

/** By the last two digits of `+1 NPA 555 01XX`. */
export const smsBehaviours: Readonly<Record<string, Behaviour>> = {
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

/** By the local part, without its `+label`, of an address at simulator.example. */
export const emailBehaviours: Readonly<Record<string, Behaviour>> = {
  delivered,
  bounced: behave([take], isUndelivered("UNREACHABLE")),
  complained: behave([take], isDelivered, { kind: "opt-out", cause: "COMPLAINT", afterMs: REPLY_MS }),
  suppressed: behave([refuse("BLOCKED")]),
  delayed: deliveredLate,
  timeout: takenUnheard,
};

const TEST_NUMBER = /^\+1\d{3}55501(\d\d)$/;
const TEST_ADDRESS = /^([^+@]+)(?:\+[^@]*)?@simulator\.example$/i;

/** The behaviour towards a submission that is disturbed. */
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

/** For any address outside the tables, a message is delivered and a call is heard. */
export function findBehaviour({ channel, to, call }: Pick<Submission, "channel" | "to" | "call">): Behaviour {
  const [pattern, behaviours] = channel === "EMAIL" ? [TEST_ADDRESS, emailBehaviours] : [TEST_NUMBER, smsBehaviours];
  const key = pattern.exec(to)?.[1]?.toLowerCase();
  const behaviour = key !== undefined && Object.hasOwn(behaviours, key) ? (behaviours[key] ?? delivered) : delivered;
  if (channel !== "VOICE") return behaviour;
  // a call is submitted like an SMS to its number, except for the opt-out that only a text can have
  const submit = key === "17" ? delivered.submit : behaviour.submit;
  return { submit, answersFind: behaviour.answersFind, happenings: listHappenings(key, call) };
}
