import type { Clock } from "../../platform/clock.ts";
import type { DatabaseLocation } from "../../platform/database-location.ts";
import type { EventSink, Provider, ProviderEvent, Submission, SubmitOutcome } from "./provider.ts";
import { disturb, findBehaviour, type Happening, type ProviderFaultKind } from "./simulated-behaviours.ts";
import { type LedgerEntry, SimulatedLedger } from "./simulated-ledger.ts";
import { createSimulatedPayments, type SimulatedPayments } from "./simulated-payments.ts";
import { createSimulatedSpeech, type SimulatedSpeech } from "./simulated-speech.ts";

export interface SimulatedProvider extends Provider {
  /** How often the message was submitted, and how often it was taken: once, unless the dispatcher is broken. */
  countSubmissions(clientReference: string): { attempts: number; sends: number };
  /** Forgets all submissions and all events still to be reported. */
  forget(): Promise<void>;
  /** Its speech engine. */
  readonly speech: SimulatedSpeech;
  /** Its payment processor. */
  readonly payments: SimulatedPayments;
  /** Closes the ledger. Call `stop` first. */
  close(): void;
}

/** How many events are reported before the first of them is acknowledged. */
const EVENTS_AT_ONCE = 256;
/** Delay before an event that was not recorded is reported again. */
const RETELL_MS = 1_000;

/**
 * Opens a carrier of SMS, calls and email that sends nothing and behaves as the recipient's address asks for. Its
 * ledger is at `location`; it reports receipts and replies when due by `clock`, until recorded.
 */
export function openSimulatedProvider({
  clock,
  location,
  takeDisturbance = () => undefined,
}: {
  clock: Clock;
  location: DatabaseLocation;
  /** The fault of the next submission, asked for once each. */
  takeDisturbance?: () => ProviderFaultKind | undefined;
}): SimulatedProvider {
  if ("url" in location) throw new Error("there is no ledger for a URL yet");
  const ledger = new SimulatedLedger(location.file);
  let sink: EventSink | undefined;
  let telling: Promise<void> | undefined;
  let alarm: { dueAt: number; cancel: () => void } | undefined;

  async function submit(submission: Submission): Promise<SubmitOutcome> {
    const disturbance = takeDisturbance();
    const answer = await ledger.write(() => record(submission, disturbance));
    wakeForNext();
    if (answer === null) throw new Error("the simulated provider did not answer in time");
    return answer;
  }

  function record(submission: Submission, disturbance: ProviderFaultKind | undefined): SubmitOutcome | null {
    const { clientReference } = submission;
    const submittedAt = clock.now();
    const behaviour = findBehaviour(submission);
    const { attempts, sends } = ledger.find(clientReference) ?? { attempts: 0, sends: 0 };
    const own = {
      step: behaviour.submit[Math.min(attempts, behaviour.submit.length - 1)] ?? behaviour.submit[0],
      happenings: behaviour.happenings,
    };
    const { step, happenings } = disturbance === undefined ? own : disturb(own, disturbance);
    const entry = {
      attempts: attempts + 1,
      sends: step.isTaken ? sends + 1 : sends,
      answersFind: behaviour.answersFind ? 1 : 0,
      submission: describe(submission),
      submittedAt,
    } as const;
    ledger.save(clientReference, entry);
    const providerMessageId = nameSend(clientReference, entry.sends);
    if (step.isTaken) schedule(submission, happenings, { providerMessageId, submittedAt });
    return step.answer === "taken" ? { outcome: "taken", providerMessageId } : step.answer;
  }

  function schedule(
    submission: Described & Pick<Submission, "clientReference">,
    happenings: readonly Happening[],
    { providerMessageId, submittedAt }: { providerMessageId: string; submittedAt: number },
  ): void {
    for (const [index, { afterMs, ...happening }] of happenings.entries()) {
      // a person answers what a person wrote; two machines would answer each other for ever
      if (happening.kind === "reply" && submission.automatic) continue;
      const eventId = `${providerMessageId}.${index}`;
      const event = { ...happening, eventId, clientReference: submission.clientReference, providerMessageId };
      ledger.schedule(event, submittedAt + afterMs);
    }
  }

  /** Reports a message's past events once more, at once: whoever asks about it may have missed them. */
  async function tellAgain(clientReference: string, { submission, sends, submittedAt }: LedgerEntry): Promise<void> {
    // a ledger of an earlier release does not have it
    if (submission === "") return;
    const described: Described = JSON.parse(submission);
    const { happenings } = findBehaviour(described);
    const providerMessageId = nameSend(clientReference, sends);
    await ledger.write(() =>
      schedule({ clientReference, ...described }, happenings, { providerMessageId, submittedAt }),
    );
    wakeForNext();
  }

  /** Arms the clock for the earliest event, unless it is already armed for one as early. */
  function wakeForNext(notBefore = 0): void {
    const earliest = sink && ledger.findNextDue();
    if (earliest === undefined || telling !== undefined) return;
    const dueAt = Math.max(earliest, notBefore);
    if (alarm !== undefined && alarm.dueAt <= dueAt) return;
    alarm?.cancel();
    alarm = { dueAt, cancel: clock.at(dueAt, tellDue) };
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
      const events = ledger.listDue(clock.now(), EVENTS_AT_ONCE);
      if (events.length === 0) return;
      const told = await Promise.allSettled(events.map(tell));
      await ledger.write(() => {
        for (const [index, event] of events.entries()) settle(event, told[index]?.status === "fulfilled");
      });
    }
  }

  function settle(event: ProviderEvent, isRecorded: boolean): void {
    if (isRecorded) ledger.acknowledge(event);
    else ledger.postpone(event, clock.now() + RETELL_MS);
  }

  return {
    name: "simulated",
    speech: createSimulatedSpeech(ledger, clock),
    payments: createSimulatedPayments(ledger, clock),
    submit,
    async find(clientReference) {
      const entry = ledger.find(clientReference);
      if (entry?.answersFind === 0) return { outcome: "unknown" };
      if (entry === undefined || entry.sends === 0) return { outcome: "absent" };
      await tellAgain(clientReference, entry);
      return { outcome: "taken", providerMessageId: nameSend(clientReference, entry.sends) };
    },
    listNewest: async (limit) => ledger.listNewest(limit),
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
    countSubmissions(clientReference) {
      const { attempts, sends } = ledger.find(clientReference) ?? { attempts: 0, sends: 0 };
      return { attempts, sends };
    },
    async forget() {
      await ledger.write(() => ledger.clear());
      alarm?.cancel();
      alarm = undefined;
    },
    isBusy: () => ledger.isBusy || telling !== undefined,
    close: () => ledger.close(),
  };
}

/** What decides what becomes of a message: nothing of what it says. */
type Described = Pick<Submission, "channel" | "to" | "automatic" | "call">;

function describe({ channel, to, automatic, call }: Submission): string {
  return JSON.stringify({ channel, to, automatic, call } satisfies {
    [M in keyof Described]: Described[M] | undefined;
  });
}

function nameSend(clientReference: string, send: number): string {
  return `sim_${clientReference}_${send}`;
}
