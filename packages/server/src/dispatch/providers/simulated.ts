import type { Clock } from "../../platform/clock.ts";
import type { DatabaseLocation } from "../../platform/database-location.ts";
import type { MessageEvent, Provider, Submission, SubmitOutcome } from "./provider.ts";
import {
  type Behaviour,
  disturb,
  findBehaviour,
  type Happening,
  type ProviderFaultKind,
} from "./simulated-behaviours.ts";
import { nameSend } from "./simulated-ledger/events.ts";
import type { Arrival, Counts, Ledger, LedgerEntry, LedgerSurroundings } from "./simulated-ledger/ledger.ts";
import { openPostgresLedger } from "./simulated-ledger/postgres-ledger.ts";
import { SqliteLedger } from "./simulated-ledger/sqlite-ledger.ts";
import { createSimulatedPayments, type SimulatedPayments } from "./simulated-payments.ts";
import { createSimulatedSpeech, type SimulatedSpeech } from "./simulated-speech.ts";

type MessageSink = (event: MessageEvent) => Promise<void>;

export interface SimulatedProvider extends Provider {
  readonly find: NonNullable<Provider["find"]>;
  start(sink: MessageSink): void;
  /** How often the message was submitted, and how often it was taken: once, unless the dispatcher is broken. */
  countSubmissions(clientReference: string): Promise<Counts>;
  /** Forgets all submissions and all events still to be reported. */
  forget(): Promise<void>;
  /** Its speech engine. */
  readonly speech: SimulatedSpeech;
  /** Its payment processor. */
  readonly payments: SimulatedPayments;
  /** Waits for no answer of the ledger any more. */
  breakOff(): void;
  /** Closes the ledger. Call `stop` first. */
  close(): Promise<void>;
}

/** How many events are reported before the first of them is acknowledged. */
const EVENTS_AT_ONCE = 256;
/** Delay before an event that was not recorded is reported again. */
const RETELL_MS = 1_000;

/**
 * Opens a carrier of SMS, calls and email that sends nothing and behaves as the recipient's address asks for. Its
 * ledger is at `location`; it reports receipts and replies when due by `clock`, until recorded. Any number of processes
 * may share a ledger at a URL.
 */
export async function openSimulatedProvider({
  clock,
  location,
  takeDisturbance = () => undefined,
}: {
  clock: Clock;
  location: DatabaseLocation;
  /** The fault of the next submission, asked for once each. */
  takeDisturbance?: () => ProviderFaultKind | undefined;
}): Promise<SimulatedProvider> {
  let sink: MessageSink | undefined;
  let telling: Promise<void> | undefined;
  let alarm: { dueAt: number; cancel: () => void } | undefined;
  const ledger = await openLedger(location, { now: clock.now, noteDue: wakeAt });

  async function submit(submission: Submission): Promise<SubmitOutcome> {
    const disturbance = takeDisturbance();
    const own = findBehaviour(submission);
    const behaviour = disturbance === undefined ? own : disturb(own, disturbance);
    const { attempts, sends } = await ledger.submit(toArrival(submission, behaviour, clock.now()));
    const { answer } = behaviour.submit[attempts - 1] ?? last(behaviour.submit);
    if (answer === null) throw new Error("the simulated provider did not answer in time");
    const providerMessageId = nameSend(submission.clientReference, sends);
    return answer === "taken" ? { outcome: "taken", providerMessageId } : answer;
  }

  /** Reports a message's past events once more, at once: whoever asks about it may have missed them. */
  async function tellAgain(reference: string, { submission, sends, submittedAt }: LedgerEntry): Promise<void> {
    // a ledger of an earlier release does not have it
    if (submission === "") return;
    const described: Described = JSON.parse(submission);
    const happenings = listToldOf(described, findBehaviour(described));
    await ledger.report({ reference, send: sends, submittedAt, happenings });
  }

  /** Arms the clock for an event, unless it is already armed for one as early. */
  function wakeAt(dueAt: number | undefined): void {
    if (dueAt === undefined || sink === undefined || telling !== undefined) return;
    if (alarm !== undefined && alarm.dueAt <= dueAt) return;
    alarm?.cancel();
    alarm = { dueAt, cancel: clock.at(dueAt, tellDue) };
  }

  function wakeForNext(notBefore = 0): void {
    const dueAt = ledger.findNextDue();
    wakeAt(dueAt && Math.max(dueAt, notBefore));
  }

  function tellDue(): void {
    alarm = undefined;
    telling = tellAllDue()
      // the ledger could not be written: the events are reported again
      .then(
        () => 0,
        () => clock.now() + RETELL_MS,
      )
      .then((notBefore) => {
        telling = undefined;
        wakeForNext(notBefore);
      });
  }

  async function tellAllDue(): Promise<void> {
    for (let tell = sink; tell !== undefined; tell = sink) {
      const events = await ledger.claimDue(EVENTS_AT_ONCE);
      if (events.length === 0) return;
      const told = await Promise.allSettled(events.map(tell));
      const outcomes = events.map((event, index) => ({ event, isRecorded: told[index]?.status === "fulfilled" }));
      await ledger.settle(outcomes, clock.now() + RETELL_MS);
    }
  }

  return {
    name: "simulated",
    speech: createSimulatedSpeech(ledger, clock),
    payments: createSimulatedPayments(ledger, clock),
    submit,
    async find(clientReference) {
      const entry = await ledger.find(clientReference);
      if (entry?.answersFind === 0) return { outcome: "unknown" };
      if (entry === undefined || entry.sends === 0) return { outcome: "absent" };
      await tellAgain(clientReference, entry);
      return { outcome: "taken", providerMessageId: nameSend(clientReference, entry.sends) };
    },
    listNewest: (limit) => ledger.listNewest(limit),
    start(newSink) {
      sink = newSink;
      wakeForNext();
    },
    async stop() {
      sink = undefined;
      alarm?.cancel();
      alarm = undefined;
      await telling;
    },
    async countSubmissions(clientReference) {
      const { attempts, sends } = (await ledger.find(clientReference)) ?? { attempts: 0, sends: 0 };
      return { attempts, sends };
    },
    async forget() {
      await ledger.clear();
      alarm?.cancel();
      alarm = undefined;
    },
    isBusy: () => ledger.isBusy || telling !== undefined,
    breakOff: () => ledger.breakOff?.(),
    close: () => ledger.close(),
  };
}

async function openLedger(location: DatabaseLocation, surroundings: LedgerSurroundings): Promise<Ledger> {
  if ("url" in location) return openPostgresLedger(location.url, surroundings);
  return new SqliteLedger(location.file, surroundings);
}

/** What decides what becomes of a message: nothing of what it says. */
type Described = Pick<Submission, "channel" | "to" | "automatic" | "call">;

function describe({ channel, to, automatic, call }: Submission): string {
  return JSON.stringify({ channel, to, automatic, call } satisfies {
    [M in keyof Described]: Described[M] | undefined;
  });
}

function toArrival(submission: Submission, behaviour: Behaviour, submittedAt: number): Arrival {
  const [first, ...others] = behaviour.submit;
  return {
    reference: submission.clientReference,
    takes: [first.isTaken, ...others.map(({ isTaken }) => isTaken)],
    answersFind: behaviour.answersFind,
    submission: describe(submission),
    submittedAt,
    happenings: listToldOf(submission, behaviour),
  };
}

/** What is reported of a message: a person answers what a person wrote; two machines would answer each other for ever. */
function listToldOf({ automatic }: Described, { happenings }: Behaviour): readonly Happening[] {
  return automatic ? happenings.filter(({ kind }) => kind !== "reply") : happenings;
}

function last<T>(steps: readonly [T, ...T[]]): T {
  return steps.at(-1) ?? steps[0];
}
