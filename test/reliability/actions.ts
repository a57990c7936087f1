// The actions of the load, and the state that each has to leave behind.

/**
 * Test recipients of texts. Outcomes: delivered; the answer lost before or after the provider took the text; failed; delayed;
 * receipts repeated and out of order.
 */
const smsRecipients = ["00", "00", "00", "03", "04", "20", "21", "60", "61"].map((digits) => `+120255501${digits}`);
const emailRecipients = ["delivered", "bounced", "timeout"].map((name) => `${name}@simulator.example`);
/** Test numbers of calls. Outcomes: heard, voicemail, busy, failed speech, and a lost answer. */
const calledNumbers = ["00", "32", "30", "37", "03"].map((digits) => `+120255501${digits}`);

export const merchantId = "m1";
export const quota = {
  smsLimit: 200,
  smsCredits: 1_000_000,
  emailLimit: 1_000_000,
  voiceMinutesLimit: 50,
  voiceMinutesCredits: 1_000_000,
};
/** Credits that each upgrade buys. */
export const upgradeUnits = 7;

export type ActionKind = "sms" | "email" | "consent" | "merchant" | "batch" | "upgrade";

export interface Action {
  /** Idempotency-Key of the action. */
  readonly key: string;
  readonly kind: ActionKind;
  readonly path: string;
  readonly body: object;
}

/** An action that the server acknowledged, as the load records it. */
export interface Acknowledgement {
  readonly key: string;
  readonly kind: ActionKind;
  /** Id of the created resource, from the reply. */
  readonly id: string;
  /** Whether this reply is a replay of an earlier one. */
  readonly isReplay: boolean;
}

type Make = (count: number) => { path: string; body: object };

const makers: Record<ActionKind, Make> = {
  sms: (count) => ({
    path: "messages/sms",
    body: { merchantId, to: pick(smsRecipients, count), message: "x".repeat(count % 4 === 0 ? 161 : 5), type: "OTP" },
  }),
  email: (count) => ({
    path: "messages/email",
    body: { merchantId, to: pick(emailRecipients, count), subject: "Hi", body: "<p>Hi</p>", type: "OTP" },
  }),
  consent: (count) => ({
    path: "consents",
    body: { merchantId, channel: "EMAIL", contact: `c${count}@example.com`, status: "OPT_IN" },
  }),
  merchant: (count) => ({
    path: "merchants",
    body: { merchantId: `w${count}`, displayName: `Number ${count}`, smsLimit: count },
  }),
  batch: (count) => ({
    path: "voice/tts-calls",
    body: {
      merchantId,
      messageText: `Your code is ${count % 5}.`,
      useCase: "OTP",
      toNumbers: [0, 1, 2].map((index) => pick(calledNumbers, count + index)),
    },
  }),
  upgrade: () => ({
    path: "billing/upgrade",
    body: { merchantId, channel: "SMS", units: upgradeUnits, paymentMethodId: "pm_card_visa" },
  }),
};

export const actionKinds = Object.keys(makers) as ActionKind[];

/** Kinds of the first actions of every sixteen. The other actions are SMS. */
const turns: readonly ActionKind[] = ["email", "email", "consent", "merchant", "batch", "upgrade"];

/** Makes the action with this number, of a kind that the server supports. */
export function makeAction(count: number, unsupported: ReadonlySet<ActionKind>): Action {
  const wanted = turns[count % 16] ?? "sms";
  const kind = unsupported.has(wanted) ? "sms" : wanted;
  return { key: `action-${count}`, kind, ...makers[kind](count) };
}

/** Reads the id of the created resource from an action's reply. */
export function readId(kind: ActionKind, reply: Readonly<Record<string, unknown>>): string {
  const member = {
    sms: "messageId",
    email: "messageId",
    consent: "contact",
    merchant: "merchantId",
    batch: "batchId",
    upgrade: "paymentId",
  }[kind];
  return String(reply[member]);
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
