import type {
  DeliveryReport,
  EventSink,
  FindOutcome,
  Provider,
  ProviderEvent,
  Submission,
  SubmitCall,
  SubmitOutcome,
} from "../carriers/provider.ts";

/** A provider for tests. It answers as the test specifies, and records its calls. */
export class ScriptedProvider implements Provider {
  readonly name: string;
  readonly submissions: Submission[] = [];
  readonly lookups: string[] = [];
  /** The highest number of concurrent calls so far. */
  mostAtOnce = 0;
  #open = 0;
  #sink: EventSink | undefined;

  /** Answers submissions. A test may replace it. */
  onSubmit: (submission: Submission, call: SubmitCall) => Promise<SubmitOutcome> = async ({ clientReference }) => ({
    outcome: "taken",
    providerMessageId: `p-${clientReference}`,
  });
  /** Answers lookups. A test may replace it. */
  onFind: (clientReference: string, signal: AbortSignal) => Promise<FindOutcome> = async () => ({ outcome: "unknown" });
  /** After the start: reports that the provider can accept messages or, with a reason, that it cannot be reached. */
  noteReach: (unreached?: string) => void = () => {};
  /** Only set by a test. */
  capacity?: () => number;
  /** Only set by a test. */
  reserved?: number;
  /** Only set by a test. */
  probe?: () => Promise<void>;
  /** Only set by a test. */
  review?: NonNullable<Provider["review"]>;
  /** Only set by a test. */
  listNewest?: NonNullable<Provider["listNewest"]>;

  constructor(name = "scripted") {
    this.name = name;
  }

  submit(submission: Submission, call: SubmitCall): Promise<SubmitOutcome> {
    this.submissions.push(submission);
    return this.#count(this.onSubmit(submission, call), call.signal);
  }

  /** A test deletes this for a provider that cannot look up messages. */
  find? = (clientReference: string, signal: AbortSignal): Promise<FindOutcome> => {
    this.lookups.push(clientReference);
    return this.#count(this.onFind(clientReference, signal), signal);
  };

  /** Reports an event. Settles when the event is recorded. */
  async tell(event: ProviderEvent): Promise<void> {
    if (this.#sink === undefined) throw new Error("the provider was not started");
    await this.#sink(event);
  }

  /** Reports a delivery receipt of the message. */
  tellReceipt(clientReference: string, status: DeliveryReport["status"]): Promise<void> {
    const providerMessageId = `p-${clientReference}`;
    return this.tell({ kind: "receipt", eventId: status, clientReference, providerMessageId, status, reason: null });
  }

  isBusy(): boolean {
    return false;
  }

  start(sink: EventSink, noteReach: (unreached?: string) => void = () => {}): void {
    this.#sink = sink;
    this.noteReach = noteReach;
  }

  async stop(): Promise<void> {
    this.#sink = undefined;
  }

  async #count<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
    this.#open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    const abandoned = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    try {
      return await Promise.race([call, abandoned]);
    } finally {
      this.#open -= 1;
    }
  }
}

/** A submission without time limits. */
export const unbounded: SubmitCall = {
  // a new signal each time, because each collects listeners
  get signal() {
    return new AbortController().signal;
  },
  handOver: async () => {},
};

/** An answer that never comes. */
export function silence(): Promise<never> {
  return new Promise(() => undefined);
}
