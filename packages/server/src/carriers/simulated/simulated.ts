// The simulated provider: a carrier that sends nothing, a speech engine that produces no sound, and a payment processor
// that charges nobody. All of them keep their records in the ledger.

import { Alarm } from "../../platform/alarm.ts";
import type { Clock } from "../../platform/clock.ts";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import type { PaymentNews, PaymentProcessor } from "../payment-processor.ts";
import type { MessageEvent, Provider, Submission, SubmitOutcome } from "../provider.ts";
import type { SpeechEngine } from "../speech/engine.ts";
import { type Behaviour, disturb, findBehaviour, type Happening, type ProviderFaultKind } from "./behaviours.ts";
import {
  type Arrival,
  type Counts,
  type LedgerDatabase,
  type LedgerEntry,
  type LedgerPayment,
  nameSend,
  SimulatedLedger,
} from "./ledger.ts";

interface SimulatedPayments extends PaymentProcessor {
  /** Counts the requests to charge the payment. More than one means a bug in the server. */
  countCharges(reference: string): Promise<number>;
}

const SETTLES_MS = 2_000;
const SLOW_MS = 60 * 60 * 1_000;

const succeeds: readonly PaymentNews[] = [{ afterMs: SETTLES_MS, status: "SUCCEEDED", reason: null }];

function fails(reason: string): readonly PaymentNews[] {
  return [{ afterMs: SETTLES_MS, status: "FAILED", reason }];
}

const declined = fails("card_declined");
const needsAction: readonly PaymentNews[] = [{ afterMs: SETTLES_MS, status: "REQUIRES_ACTION", reason: null }];

const outcomes: Readonly<Record<string, readonly PaymentNews[]>> = {
  "4242": succeeds,
  pm_card_visa: succeeds,
  "2": declined,
  pm_card_chargeDeclined: declined,
  "9995": fails("insufficient_funds"),
  "3184": needsAction,
  pm_card_authenticationRequired: needsAction,
  "7700": [
    { afterMs: SETTLES_MS, status: "PROCESSING", reason: null },
    { afterMs: SLOW_MS, status: "SUCCEEDED", reason: null },
  ],
};

/** Creates a payment processor. The payment method decides the outcome; methods that are not in the table succeed. */
function createSimulatedPayments(ledger: SimulatedLedger, clock: Clock): SimulatedPayments {
  /** Returns the payment's status changes. Past changes are due at once. */
  function leftOf({ paymentMethod, submittedAt }: LedgerPayment): PaymentNews[] {
    const passedMs = clock.now() - submittedAt;
    const method = paymentMethod ?? "";
    const news = Object.hasOwn(outcomes, method) ? (outcomes[method] ?? succeeds) : succeeds;
    return news.map((one) => ({ ...one, afterMs: Math.max(0, one.afterMs - passedMs) }));
  }

  return {
    async submit({ reference, paymentMethod }) {
      return {
        outcome: "taken",
        news: leftOf(await ledger.charge(reference, { paymentMethod, submittedAt: clock.now() })),
      };
    },
    async find({ reference }) {
      const known = await ledger.findPayment(reference);
      return known === undefined ? { outcome: "absent" } : { outcome: "taken", news: leftOf(known) };
    },
    async countCharges(reference) {
      return (await ledger.findPayment(reference))?.charges ?? 0;
    },
  };
}

interface SimulatedSpeech extends SpeechEngine {
  /** Counts how often the speech was synthesized. More than once means a bug in the server. */
  countSyntheses(reference: string): Promise<number>;
}

const SYNTHESIS_MS = 250;
/** Voice chosen for numbers for which speech synthesis fails: `+1 NPA 555 0137`. */
const SPEECHLESS = "speechless";
const SPEECHLESS_NUMBER = /^\+1\d{3}5550137$/;

function createSimulatedSpeech(ledger: SimulatedLedger, clock: Clock): SimulatedSpeech {
  return {
    name: "simulated",
    model: "simulated-1",
    voiceFor: ({ voiceProfile, to }) => (SPEECHLESS_NUMBER.test(to) ? SPEECHLESS : voiceProfile),
    async synthesize({ reference, voice }, signal) {
      await wait(clock, SYNTHESIS_MS, signal);
      if (voice === SPEECHLESS) return { outcome: "failed", detail: "the voice is out of order" };
      await ledger.addSpeech(reference);
      return { outcome: "made" };
    },
    find: async (reference) => ((await ledger.countSpeech(reference)) > 0 ? "made" : "absent"),
    countSyntheses: (reference) => ledger.countSpeech(reference),
  };
}

function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + milliseconds, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      reject(signal.reason);
    });
  });
}

type MessageSink = (event: MessageEvent) => Promise<void>;

export interface SimulatedProvider extends Provider {
  readonly find: NonNullable<Provider["find"]>;
  start(sink: MessageSink): void;
  /** Counts the submissions of a message and how many were accepted. More than one accepted means a bug in the dispatcher. */
  countSubmissions(clientReference: string): Promise<Counts>;
  /** Deletes all submissions and all events not yet reported. */
  forget(): Promise<void>;
  readonly speech: SimulatedSpeech;
  readonly payments: SimulatedPayments;
  /** Abandons outstanding answers of the ledger. */
  breakOff(): void;
  /** Closes the ledger. Call `stop` first. */
  close(): Promise<void>;
}

/** Number of events reported concurrently. */
const EVENTS_AT_ONCE = 256;
/** Delay before an event that was not recorded is reported again. */
const RETELL_MS = 1_000;
/** Shortest time between two polls. Events that become due within it are reported together. */
const PACE_MS = 20;
/** Larger than the number of submissions of any message. */
const NEVER = 1_000_000;
/** Interval of polls for overdue events of other processes, in real time: those processes do not follow a virtual clock. */
const LOOK_MS = 500;

/**
 * Opens a carrier of SMS, calls and email that sends nothing; the recipient's address decides the outcome. The ledger
 * is stored in `database`, which `close` closes. Receipts and replies are reported when due by `clock`, and repeated
 * until they are recorded.
 */
export async function openSimulatedProvider({
  clock,
  database,
  takeDisturbance = () => undefined,
}: {
  clock: Clock;
  database: LedgerDatabase;
  /** Returns the fault to inject into the next submission. Called once per submission. */
  takeDisturbance?: () => ProviderFaultKind | undefined;
}): Promise<SimulatedProvider> {
  let sink: MessageSink | undefined;
  let telling: Promise<void> | undefined;
  let isCalledMeanwhile = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let stopPolling: (() => void) | undefined;
  const alarm = new Alarm(clock, tellDue);
  const ledger = new SimulatedLedger(database, clock);
  // this read also returns the database's time
  await ledger.listDue(1).catch(async (error: unknown) => {
    await ledger.close();
    throw error;
  });

  async function submit(submission: Submission): Promise<SubmitOutcome> {
    const disturbance = takeDisturbance();
    const own = findBehaviour(submission);
    const behaviour = disturbance === undefined ? own : disturb(own, disturbance);
    const arrival = toArrival(submission, behaviour, clock.now());
    const { attempts, sends } = await ledger.submit(arrival);
    if (attempts >= arrival.takenFrom) wakeFor(arrival);
    const { answer } = behaviour.submit[attempts - 1] ?? behaviour.submit.at(-1) ?? behaviour.submit[0];
    if (answer === null) throw new Error("the simulated provider did not answer in time");
    const providerMessageId = nameSend(submission.clientReference, sends);
    return answer === "taken" ? { outcome: "taken", providerMessageId } : answer;
  }

  /** Reports a message's past events again, at once, because a caller that looks it up may have missed them. */
  async function tellAgain(reference: string, { submission, submittedAt }: LedgerEntry): Promise<void> {
    const described: Described = JSON.parse(submission);
    const told = { reference, submittedAt, happenings: listToldOf(described, findBehaviour(described)) };
    await ledger.report(told);
    wakeFor(told);
  }

  function wakeFor({ submittedAt, happenings }: Pick<Arrival, "submittedAt" | "happenings">): void {
    for (const { afterMs } of happenings) wakeAt(submittedAt + afterMs);
  }

  function wakeAt(dueAt: number | undefined): void {
    if (dueAt === undefined || sink === undefined) return;
    // if the clock was set back since the last poll, the time of that poll is meaningless
    const earliest = lookedAt > clock.now() ? dueAt : lookedAt + PACE_MS;
    alarm.set(Math.max(dueAt, earliest));
  }

  function tellDue(): void {
    alarm.clear();
    isCalledMeanwhile = telling !== undefined;
    telling ??= tellAllDue()
      // if the ledger could not be read or written, report the events again
      .catch(() => clock.now() + RETELL_MS)
      .then((nextDueAt) => {
        telling = undefined;
        lookedAt = clock.now();
        wakeAt(isCalledMeanwhile ? lookedAt : nextDueAt);
      });
  }

  /** Reports all due events. Returns the time of the next poll. */
  async function tellAllDue(): Promise<number | undefined> {
    for (let tell = sink; tell !== undefined; tell = sink) {
      const { due, nextDueAt } = await ledger.listDue(EVENTS_AT_ONCE);
      if (due.length === 0) return nextDueAt;
      const told = await Promise.allSettled(due.map(tell));
      const isRecorded = (index: number) => told[index]?.status === "fulfilled";
      const recorded = due.filter((_event, index) => isRecorded(index));
      const others = due.filter((_event, index) => !isRecorded(index));
      await ledger.settle(recorded, others, clock.now() + RETELL_MS);
    }
    return undefined;
  }

  function keepPolling(): void {
    const timer = setTimeout(() => {
      tellDue();
      keepPolling();
    }, LOOK_MS).unref();
    stopPolling = () => clearTimeout(timer);
  }

  return {
    name: "simulated",
    speech: createSimulatedSpeech(ledger, clock),
    payments: createSimulatedPayments(ledger, clock),
    submit,
    async find(clientReference) {
      const entry = await ledger.find(clientReference);
      if (entry !== undefined && !findBehaviour(JSON.parse(entry.submission)).answersFind)
        return { outcome: "unknown" };
      if (entry === undefined || entry.sends === 0) return { outcome: "absent" };
      await tellAgain(clientReference, entry);
      return { outcome: "taken", providerMessageId: nameSend(clientReference, entry.sends) };
    },
    listNewest: (limit) => ledger.listNewest(limit),
    start(newSink) {
      sink = newSink;
      tellDue();
      stopPolling?.();
      if (ledger.isShared) keepPolling();
    },
    async stop() {
      sink = undefined;
      stopPolling?.();
      alarm.clear();
      await telling;
    },
    async countSubmissions(clientReference) {
      const { attempts, sends } = (await ledger.find(clientReference)) ?? { attempts: 0, sends: 0 };
      return { attempts, sends };
    },
    async forget() {
      await ledger.clear();
      alarm.clear();
    },
    isBusy: () => ledger.isBusy || telling !== undefined,
    breakOff: () => ledger.breakOff(),
    close: () => ledger.close(),
  };
}

/** Fields of a submission that decide its behaviour. The message's text does not. */
type Described = Pick<Submission, "channel" | "to" | "automatic" | "call">;

function toArrival(submission: Submission, behaviour: Behaviour, submittedAt: number): Arrival {
  const { channel, to, automatic, call } = submission;
  const takenAt = behaviour.submit.findIndex(({ isTaken }) => isTaken);
  return {
    reference: submission.clientReference,
    takenFrom: takenAt < 0 ? NEVER : takenAt + 1,
    submission: JSON.stringify({ channel, to, automatic, call }),
    submittedAt,
    happenings: listToldOf(submission, behaviour),
  };
}

/** Lists the events of a message. A confirmation gets no reply; otherwise two machines would answer each other for ever. */
function listToldOf({ automatic }: Described, { happenings }: Behaviour): readonly Happening[] {
  return automatic ? happenings.filter(({ kind }) => kind !== "reply") : happenings;
}
