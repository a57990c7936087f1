// Tells viewers of messages as soon as they are accepted, from the streams themselves, and again of those that are another when
// they go into the index, or were committed late.

import { type FollowedMessage, type MessageStream, stateOf } from "./message-stream.ts";

/** The most messages of which it is known what viewers were told, while they settle. */
const MOST_TOLD = 50_000;

/** Bites at a time: to tell of a message takes an eighth of the time that it takes to index one. */
const MOST_BITES = 4;

export interface NewsOptions {
  readonly streams: readonly MessageStream[];
  /** Messages read at a time. */
  readonly bite: number;
  /** Since when viewers are to be told, in epoch milliseconds; undefined while there are none. @default never */
  readonly watchedSince?: () => number | undefined;
  /** Called while there are viewers with messages that are new, and again with those that have changed; not with older ones. */
  readonly onChange?: (messages: readonly FollowedMessage[], what: "new" | "changed") => void;
}

export class News {
  readonly #streams: readonly MessageStream[];
  readonly #bite: number;
  readonly #watchedSince: () => number | undefined;
  readonly #onChange: NonNullable<NewsOptions["onChange"]>;
  /** Since when viewers were told; undefined while there are none. */
  #since: number | undefined;
  /** Up to where they were told of each stream. */
  readonly #toldTo = new Map<string, string>();
  /** The states that they were told of messages which are not in the index yet, the oldest first. */
  readonly #told = new Map<string, string>();

  constructor({ streams, bite, watchedSince = () => undefined, onChange = () => {} }: NewsOptions) {
    this.#streams = streams;
    this.#bite = bite;
    this.#watchedSince = watchedSince;
    this.#onChange = onChange;
  }

  /** Tells of what was accepted, some bites at a time. Returns whether there is nothing more. */
  async tellNew(): Promise<boolean> {
    const since = this.#watchedSince();
    if (since !== this.#since) this.#begin(since);
    if (since === undefined) return true;
    let areTold = false;
    for (let bites = 0; bites < MOST_BITES && !areTold; bites += 1) {
      const told = await Promise.all(this.#streams.map((stream) => this.#tellBite(stream)));
      areTold = told.every(Boolean);
    }
    for (const messageId of this.#told.keys()) {
      if (this.#told.size <= MOST_TOLD) break;
      this.#told.delete(messageId);
    }
    return areTold;
  }

  /** Tells of messages that go into the index what was not told before. */
  tellTaken(messages: readonly FollowedMessage[]): void {
    const since = this.#since;
    if (since === undefined) return;
    const late: FollowedMessage[] = [];
    const changed: FollowedMessage[] = [];
    for (const message of messages) {
      const told = this.#told.get(message.messageId);
      this.#told.delete(message.messageId);
      if (told === undefined && message.createdAt >= since) late.push(message);
      else if (told !== stateOf(message)) changed.push(message);
    }
    this.#tell(late, "new");
    this.#tell(changed, "changed");
  }

  /** Tells of messages that are in the index and have changed. */
  tellChanged(messages: readonly FollowedMessage[]): void {
    if (this.#since !== undefined) this.#tell(messages, "changed");
  }

  #begin(since: number | undefined): void {
    this.#since = since;
    this.#told.clear();
    for (const { name, positionAt } of this.#streams) this.#toldTo.set(name, positionAt(since ?? 0));
  }

  async #tellBite({ name, listAfter }: MessageStream): Promise<boolean> {
    const messages = await listAfter(this.#toldTo.get(name) ?? "", this.#bite);
    const last = messages.at(-1);
    if (last === undefined) return true;
    this.#toldTo.set(name, last.position);
    this.#tell(messages, "new");
    for (const message of messages) this.#told.set(message.messageId, stateOf(message));
    return messages.length < this.#bite;
  }

  #tell(messages: readonly FollowedMessage[], what: "new" | "changed"): void {
    if (messages.length > 0) this.#onChange(messages, what);
  }
}
