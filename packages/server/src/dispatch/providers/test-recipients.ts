// Whom the simulated provider knows, with what becomes of a message to them, as its behaviours say.

import { type Behaviour, emailBehaviours, smsBehaviours } from "./simulated-behaviours.ts";

export interface TestRecipient {
  readonly to: string;
  readonly channel: "SMS" | "EMAIL";
  /** What the message ends with. */
  readonly status: string;
  readonly reason: string | null;
  /** What the recipient answers; null for nothing. */
  readonly reply: string | null;
  /** Whether it takes half a minute. */
  readonly isSlow: boolean;
}

const SLOW_MS = 30_000;

/** Those of a test area code, by number; then the addresses. */
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
  // nothing more is heard of it
  if (!isTaken || end?.kind !== "receipt") return { status: "UNKNOWN", reason: null };
  return { status: end.status, reason: end.reason };
}
