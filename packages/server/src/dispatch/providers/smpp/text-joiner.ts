// Joins the parts of texts from phones. No part is acknowledged before what it became is recorded: whatever happens to this
// process, the carrier delivers it again.

import type { Clock } from "../../../platform/clock.ts";
import type { TextPart } from "./inbound-texts.ts";

/**
 * How long after a part the next may come. Phones send one in a few seconds; carriers wait longer for an acknowledgement. Some
 * deliver no part before the one before it is acknowledged: of those, each is reported alone.
 */
const PATIENCE_MS = 8_000;
/** Texts that wait for parts, in all. */
const MOST_OPEN = 64;

/** A part as it was delivered. */
export interface DeliveredPart extends TextPart {
  readonly deliveryId: string;
}

/** A whole text, or a part whose others did not come. */
export interface ReportedText {
  readonly eventId: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

interface OpenText {
  readonly parts: Map<number, DeliveredPart>;
  readonly isRecorded: Promise<void>;
  readonly resolve: (recording: Promise<unknown>) => void;
  cancelWait: () => void;
}

export class TextJoiner {
  readonly #clock: Clock;
  readonly #report: (text: ReportedText) => Promise<void>;
  /** The oldest first. */
  readonly #open = new Map<string, OpenText>();

  constructor(clock: Clock, report: (text: ReportedText) => Promise<void>) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Resolves once the text that the part belongs to is recorded, and rejects if it is to be delivered again. */
  take(delivered: DeliveredPart): Promise<void> {
    const { from, to, part } = delivered;
    if (part === undefined) return this.#report(toText(delivered, delivered.text));
    const key = JSON.stringify([from, to, part.reference, part.total]);
    const text = this.#open.get(key) ?? this.#begin(key);
    // one that is delivered again replaces itself
    text.parts.set(part.place, delivered);
    text.cancelWait();
    if (text.parts.size < part.total) {
      text.cancelWait = this.#clock.at(this.#clock.now() + PATIENCE_MS, () => this.#giveUp(key));
    } else {
      this.#close(key, (parts) => this.#report(toText(delivered, parts.map((one) => one.text).join(""))));
    }
    return text.isRecorded;
  }

  /** Leaves what waits to be delivered again. */
  stop(): void {
    const refuse = () => Promise.reject(new Error("the carrier was stopped"));
    for (const key of [...this.#open.keys()]) this.#close(key, refuse);
  }

  #begin(key: string): OpenText {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= MOST_OPEN) this.#giveUp(oldest);
    let resolve: OpenText["resolve"] = () => {};
    const isRecorded = new Promise<void>((settle) => {
      resolve = (recording) => settle(recording.then(() => undefined));
    });
    const text = { parts: new Map(), isRecorded, resolve, cancelWait: () => {} };
    this.#open.set(key, text);
    return text;
  }

  /** Reports each part that came as a text of its own. */
  #giveUp(key: string): void {
    this.#close(key, (parts) => Promise.all(parts.map((part) => this.#report(toText(part, part.text)))));
  }

  #close(key: string, record: (parts: readonly DeliveredPart[]) => Promise<unknown>): void {
    const text = this.#open.get(key);
    if (text === undefined) return;
    this.#open.delete(key);
    text.cancelWait();
    const places = [...text.parts.keys()].sort((one, other) => one - other);
    text.resolve(record(places.flatMap((place) => text.parts.get(place) ?? [])));
  }
}

function toText({ deliveryId, from, to }: DeliveredPart, text: string): ReportedText {
  return { eventId: deliveryId, from, to, text };
}
