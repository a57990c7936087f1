/** Handles each callback: verify, filter, forward, show, count, answer. Independent of HTTP and the terminal. */
import type { Delivery, Handled, ReceivedEvent, Reply } from "./delivery.ts";
import { createEventRecord, type EventRecord } from "./event-record.ts";
import { isSuccess } from "./event-rows.ts";
import type { Forward } from "./forward.ts";
import { createRecentIds } from "./recent-ids.ts";
import type { Verdict } from "./verdict.ts";

export interface SessionOptions {
  judge(delivery: Delivery, now: number): Promise<Verdict>;
  /** Whether callbacks are verified before they are accepted. */
  isVerifying: boolean;
  /** Whether --events includes this type. */
  wants(type: string): boolean;
  forward: Forward | undefined;
  /** Number of events after which to stop; Infinity: no limit. */
  count: number;
  show(record: EventRecord, delivery: Delivery): Promise<void>;
  listener: SessionListener;
  /** Returns the current time in epoch milliseconds. */
  now(): number;
}

/** Notified of callbacks that are not shown as events. */
export interface SessionListener {
  refused(refused: Extract<Verdict, { isTaken: false }>): void;
  unwanted(event: ReceivedEvent): void;
}

export interface Counts {
  shown: number;
  repeats: number;
  refused: number;
  unwanted: number;
  /** Number of forwarded events that the handler answered with 2xx. */
  handled: number;
}

export interface Session {
  /** Handles a callback. Returns the reply to the service. */
  take(delivery: Delivery): Promise<Reply>;
  readonly counts: Readonly<Counts>;
  /** Resolves when `count` events have been shown; rejects if events cannot be shown. */
  readonly done: Promise<void>;
}

/** Makes the service retry a callback that was not processed. */
const LATER: Reply = { status: 503, retryAfter: "5" };
const BAD_GATEWAY = 502;

export function createSession(options: SessionOptions): Session {
  const { judge, wants, forward, show, listener, now } = options;
  const counts: Counts = { shown: 0, repeats: 0, refused: 0, unwanted: 0, handled: 0 };
  const recent = createRecentIds();
  // Number of events still to show. Decremented before an event is forwarded, so that only events that are shown are forwarded.
  let places = options.count;
  let settle = { resolve: () => {}, reject: (_: unknown) => {} };
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  async function take(delivery: Delivery): Promise<Reply> {
    if (places === 0) return LATER;
    const atMs = now();
    const verdict = await judge(delivery, atMs);
    if (!verdict.isTaken) {
      counts.refused += 1;
      listener.refused(verdict);
      return { status: 400 };
    }
    const { event } = verdict;
    if (!wants(event.type)) {
      counts.unwanted += 1;
      listener.unwanted(event);
      return { status: 200 };
    }
    // while this event was verified, other events may have reached `count`
    if (places === 0) return LATER;
    places -= 1;
    const isRepeat = recent.isRepeat(event.id);
    const handled = await forward?.(delivery);
    const answered = handled === undefined ? 200 : (handled.status ?? BAD_GATEWAY);
    await show(
      createEventRecord({ atMs, delivery, event, isVerified: options.isVerifying, isRepeat, answered, handled }),
      delivery,
    );
    count(isRepeat, handled);
    return { status: answered, retryAfter: handled?.retryAfter };
  }

  function count(isRepeat: boolean, handled: Handled | undefined): void {
    counts.shown += 1;
    if (isRepeat) counts.repeats += 1;
    if (handled !== undefined && isSuccess(handled.status)) counts.handled += 1;
    if (counts.shown >= options.count) settle.resolve();
  }

  return {
    counts,
    done,
    take: (delivery) =>
      take(delivery).catch((error: unknown) => {
        settle.reject(error);
        return { status: 500 };
      }),
  };
}

/** Formats `4 events (1 again), 3 accepted by the handler, 1 refused, 2 not wanted`. */
export function formatSummary({ shown, repeats, refused, unwanted, handled }: Counts, isForwarding: boolean): string {
  const again = repeats === 0 ? "" : ` (${repeats} again)`;
  return [
    `${shown === 1 ? "1 event" : `${shown} events`}${again}`,
    ...(isForwarding ? [`${handled} accepted by the handler`] : []),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(unwanted === 0 ? [] : [`${unwanted} not wanted`]),
  ].join(", ");
}
