// Updates the search index (docs/decisions/0042) with new messages, then with changed and older ones. It reads a batch
// at a time and stores its position with the batch, so that another process can continue there. New messages are indexed
// after a short delay, because most reach their final status within a second; until then searches read the store.

import { outcomeOf } from "../domain/messages/rules.ts";
import type { Clock } from "../platform/clock.ts";
import { performance } from "../platform/timers.ts";
import type { IndexedMessage, SearchIndex } from "./search-index.ts";
import { type FollowedMessage, type MessageStream, type SearchSource, stateOf } from "./search-source.ts";
import { toDocument } from "./search-terms.ts";
import type { Tally } from "./tallies.ts";

/** Maximum number of messages not indexed yet for which the last state sent to viewers is remembered. */
const MOST_TOLD = 50_000;

/** Batches sent to viewers per batch indexed. Sending a message takes an eighth of the time of indexing it. */
const MOST_BITES = 4;

interface NewsOptions {
  readonly streams: readonly MessageStream[];
  /** Messages read at a time. */
  readonly bite: number;
  /** Returns the time since which there are viewers, in epoch milliseconds; undefined if none. @default no viewers */
  readonly watchedSince?: () => number | undefined;
  /** Called with new and changed messages while there are viewers; not with older messages. */
  readonly onChange?: (messages: readonly FollowedMessage[], what: "new" | "changed") => void;
}

/** Notifies viewers of messages as soon as they are accepted, and of changes when they are indexed. */
class News {
  readonly #options: NewsOptions;
  /** The time since which viewers are notified; undefined if there are none. */
  #since: number | undefined;
  /** By stream: the position up to which viewers have been notified. */
  readonly #toldTo = new Map<string, string>();
  /** By message that is not in the index yet: the last state sent to viewers, oldest first. */
  readonly #told = new Map<string, string>();

  constructor(options: NewsOptions) {
    this.#options = options;
  }

  /** Notifies viewers of the next batches of accepted messages. Returns whether there are no more. */
  async tellNew(): Promise<boolean> {
    const since = this.#options.watchedSince?.();
    if (since !== this.#since) this.#begin(since);
    if (since === undefined) return true;
    let areTold = false;
    for (let bites = 0; bites < MOST_BITES && !areTold; bites += 1) {
      const told = await Promise.all(this.#options.streams.map((stream) => this.#tellBite(stream)));
      areTold = told.every(Boolean);
    }
    for (const messageId of this.#told.keys()) {
      if (this.#told.size <= MOST_TOLD) break;
      this.#told.delete(messageId);
    }
    return areTold;
  }

  /** Notifies viewers of newly indexed messages that they have not received, or have received in an older state. */
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

  /** Notifies viewers of indexed messages that have changed. */
  tellChanged(messages: readonly FollowedMessage[]): void {
    if (this.#since !== undefined) this.#tell(messages, "changed");
  }

  #begin(since: number | undefined): void {
    this.#since = since;
    this.#told.clear();
    for (const { name, positionAt } of this.#options.streams) this.#toldTo.set(name, positionAt(since ?? 0));
  }

  async #tellBite({ name, listAfter }: MessageStream): Promise<boolean> {
    const { bite } = this.#options;
    const messages = await listAfter(this.#toldTo.get(name) ?? "", bite);
    const last = messages.at(-1);
    if (last === undefined) return true;
    this.#toldTo.set(name, last.position);
    this.#tell(messages, "new");
    for (const message of messages) this.#told.set(message.messageId, stateOf(message));
    return messages.length < bite;
  }

  #tell(messages: readonly FollowedMessage[], what: "new" | "changed"): void {
    if (messages.length > 0) this.#options.onChange?.(messages, what);
  }
}

const DEFAULT_BITE = 1_000;
/** After this many batches of new messages, other messages are handled even if there are more new ones. */
const OTHERS_EVERY = 4;
/** Mark: set once all messages older than the index have been indexed. */
const COMPLETE = "complete";
/** Mark: messages accepted since this time, in epoch milliseconds, may not be in the index yet. */
const REACHED = "reached";
/** The age at which a message is indexed. */
const SETTLE_MS = 1_500;
/** How often `REACHED` is set while there are no new messages. */
const REACHED_MS = 5_000;
/** The position of the first indexed message. Newer messages get higher positions, older ones lower. */
const MIDDLE = 2 ** 40;
/** Longest time from a message's acceptance to its commit. */
const COMMIT_MS = 60_000;
/** Interval of scans for late commits: `LATE_SCAN_SHARE` times the duration of the last scan, within these bounds. */
const LATE_SCAN_MS = { least: 1_000, most: 30_000 };
const LATE_SCAN_SHARE = 20;
/** Interval of scans for erased recipients. */
const ERASED_SCAN_MS = 30_000;
/** Mark: the position up to which erasures have been applied. */
const ERASED = "erased";
/** Interval of checks of a message that may change: half of its age, within these bounds. */
const LOOK_AGAIN_MS = { least: 1_000, most: 60 * 60_000 };
const HOUR_MS = 60 * 60_000;
/** Messages older than this are not counted by hour. */
const TALLIED_MS = 35 * 24 * HOUR_MS;
/** Above this age only UNKNOWN messages can change, by a decision of the operator. */
const OPEN_MS = 8 * 24 * 60 * 60_000;

/** Returns whether all older messages have been indexed. */
export function isComplete(index: SearchIndex): boolean {
  return index.mark(COMPLETE) !== undefined;
}

/** Returns the time since which messages may not be in the index yet, in epoch milliseconds. */
export function reachedAt(index: SearchIndex): number {
  return Number(index.mark(REACHED) ?? 0);
}

interface FollowerOptions extends Pick<NewsOptions, "watchedSince" | "onChange"> {
  readonly source: SearchSource;
  readonly index: SearchIndex;
  readonly clock: Pick<Clock, "now">;
  /** Messages read at a time. @default 1 000 */
  readonly bite?: number;
}

export class Follower {
  readonly #source: SearchSource;
  readonly #index: SearchIndex;
  readonly #clock: Pick<Clock, "now">;
  readonly #bite: number;
  readonly #news: News;
  #batches = 0;
  #others = 0;
  #isUpToDate = false;
  #lateScanAt = 0;
  #lateScanMs = LATE_SCAN_MS.least;
  /** Duration of the current scan for late commits. */
  #lateWorkMs = 0;
  #erasedScanAt = 0;
  /** The streams that the current scan for late commits has not finished. */
  #late: readonly MessageStream[] = [];

  constructor({ source, index, clock, bite = DEFAULT_BITE, ...viewers }: FollowerOptions) {
    this.#bite = bite;
    this.#news = new News({ streams: source.streams, bite, ...viewers });
    this.#source = source;
    this.#index = index;
    this.#clock = clock;
    this.#setMarks();
  }

  /** Initializes missing marks, and corrects marks that are in the future because the clock was set back. */
  #setMarks(): void {
    const now = this.#clock.now();
    this.#index.together(() => {
      for (const { name, positionAt } of this.#source.streams) {
        const settled = positionAt(now - COMMIT_MS);
        if (this.#mark(name, "newest") > positionAt(now)) this.#setMark(name, "newest", settled);
        if (this.#mark(name, "settled") > settled) this.#setMark(name, "settled", settled);
        if (this.#mark(name, "oldest") !== "") continue;
        for (const end of ["newest", "settled", "oldest"] as const) this.#setMark(name, end, settled);
      }
      if (this.#index.mark(REACHED) === undefined || reachedAt(this.#index) > now) {
        this.#index.setMark(REACHED, String(now - COMMIT_MS));
      }
    });
  }

  /** Returns a stream's newest or oldest indexed position, or the one after which late commits are possible. */
  #mark(stream: string, of: Mark): string {
    return this.#index.mark(`${stream} ${of}`) ?? "";
  }

  #setMark(stream: string, of: Mark, position: string): void {
    if (this.#mark(stream, of) !== position) this.#index.setMark(`${stream} ${of}`, position);
  }

  /** Whether the last batch included all messages that were old enough to be indexed when it began. */
  get isUpToDate(): boolean {
    return this.#isUpToDate;
  }

  /**
   * Indexes a batch of new messages. Also indexes a batch of other messages if there are no more new ones, and at least
   * every `OTHERS_EVERY`th time. Returns false if there is no more work now.
   */
  async followBatch(): Promise<boolean> {
    const isTold = await this.tellNew();
    await this.#takeNew();
    this.#batches += 1;
    if (!this.#isUpToDate && this.#batches % OTHERS_EVERY !== 0) return true;
    return (await this.#takeOther()) || !this.#isUpToDate || !isTold;
  }

  /** Notifies viewers of accepted messages. Returns whether there are no more. Do not call it during a batch. */
  tellNew(): Promise<boolean> {
    return this.#news.tellNew();
  }

  /** Indexes a batch of late, erased, changed or older messages. Rotates between these kinds, so that none starves. */
  async #takeOther(): Promise<boolean> {
    const kinds = [this.#takeLate, this.#takeErased, this.#takeChanged, this.#takeOlder];
    const first = this.#others++;
    for (const [offset] of kinds.entries()) {
      const take = kinds[(first + offset) % kinds.length];
      if (await take?.call(this)) return true;
    }
    return false;
  }

  async #takeNew(): Promise<void> {
    const settledAt = this.#clock.now() - SETTLE_MS;
    const bites = await this.#read("newest", (stream, position) =>
      stream.listAfter(position, this.#bite, stream.positionAt(settledAt)),
    );
    this.#isUpToDate = bites.every(({ isFull }) => !isFull);
    // stop at the end of a full batch: messages after it may be older than those in another stream's batch
    const until = Math.min(settledAt, ...bites.filter(({ isFull }) => isFull).map(lastTime));
    const taken = takeWhile(bites, ({ createdAt }) => createdAt <= until);
    const messages = taken.flatMap((bite) => bite.messages);
    if (messages.length === 0 && until < reachedAt(this.#index) + REACHED_MS) return;
    this.#index.together(() => {
      this.#keep("newest", taken);
      this.#index.setMark(REACHED, String(until));
    });
    this.#news.tellTaken(messages);
  }

  async #takeOlder(): Promise<boolean> {
    const bites = await this.#read("oldest", (stream, position) => stream.listBefore(position, this.#bite));
    const from = Math.max(...bites.filter(({ isFull }) => isFull).map(lastTime));
    const isMore = this.#keep(
      "oldest",
      takeWhile(bites, ({ createdAt }) => createdAt >= from),
    );
    if (!isMore && !isComplete(this.#index)) this.#index.setMark(COMPLETE, "yes");
    return isMore;
  }

  /** Indexes messages that were committed after messages with a later time of acceptance. */
  async #takeLate(): Promise<boolean> {
    const start = performance.now();
    const now = this.#clock.now();
    if (this.#late.length === 0 && Math.abs(now - this.#lateScanAt) >= this.#lateScanMs) {
      this.#lateScanAt = now;
      this.#lateWorkMs = 0;
      this.#index.removeTallies(Math.floor((now - TALLIED_MS) / HOUR_MS));
      this.#late = this.#source.streams;
      this.#setMarks();
    }
    const [stream, ...others] = this.#late;
    if (stream === undefined) return false;
    const messages = await stream.listAfter(this.#mark(stream.name, "settled"), this.#bite);
    const newest = this.#mark(stream.name, "newest");
    const committed = stream.positionAt(now - COMMIT_MS);
    const end = newest < committed ? newest : committed;
    const last = messages.length < this.#bite ? end : (messages.at(-1)?.position ?? end);
    const isDone = last >= end;
    const late = messages.filter(
      ({ messageId, position }) => position <= end && this.#index.positionOf(messageId) === undefined,
    );
    this.#index.together(() => {
      this.#add(late, "newest");
      this.#setMark(stream.name, "settled", isDone ? end : last);
    });
    this.#news.tellTaken(late);
    if (isDone) this.#late = others;
    this.#lateWorkMs += performance.now() - start;
    const { least, most } = LATE_SCAN_MS;
    this.#lateScanMs = Math.min(Math.max(LATE_SCAN_SHARE * this.#lateWorkMs, least), most);
    return true;
  }

  /** Makes the messages of erased recipients due for a check, which removes their terms from the index. */
  async #takeErased(): Promise<boolean> {
    const now = this.#clock.now();
    if (Math.abs(now - this.#erasedScanAt) < ERASED_SCAN_MS) return false;
    const erased = await this.#source.listErasedAfter(this.#index.mark(ERASED) ?? "", this.#bite);
    const isFull = erased.length === this.#bite;
    // an erasure may be committed after an erasure that began later
    const end = isFull ? erased.at(-1)?.position : this.#source.erasedPositionAt(now - COMMIT_MS);
    this.#index.together(() => {
      for (const { messageId } of erased) {
        const position = this.#index.positionOf(messageId);
        if (position !== undefined) this.#index.setDue(position, { at: 0, state: ERASED });
      }
      this.#index.setMark(ERASED, end ?? "");
    });
    if (!isFull) this.#erasedScanAt = now;
    return isFull;
  }

  async #takeChanged(): Promise<boolean> {
    const due = this.#index.listDue(this.#clock.now(), this.#bite);
    if (due.length === 0) return false;
    const found = await this.#source.find(due.map(({ messageId }) => messageId));
    const messages = new Map(found.map((message) => [message.messageId, message]));
    const gone: number[] = [];
    const changed: PositionedMessage[] = [];
    const same: PositionedMessage[] = [];
    const settled: PositionedMessage[] = [];
    for (const { position, messageId, state } of due) {
      const message = messages.get(messageId);
      if (message === undefined) gone.push(position);
      else if (stateOf(message) !== state) changed.push({ position, message });
      else (this.#mayChange(message) ? same : settled).push({ position, message });
    }
    this.#index.together(() => {
      this.#index.remove(gone);
      this.#put([...changed, ...settled]);
      for (const positioned of same) this.#lookAgain(positioned);
    });
    this.#news.tellChanged(changed.map(({ message }) => message));
    return true;
  }

  async #read(
    end: "newest" | "oldest",
    list: (stream: MessageStream, position: string) => Promise<readonly FollowedMessage[]>,
  ): Promise<Bite[]> {
    const read = async (stream: MessageStream) => ({
      name: stream.name,
      messages: await list(stream, this.#mark(stream.name, end)),
    });
    const bites = await Promise.all(this.#source.streams.map(read));
    return bites.map((bite) => ({ ...bite, isFull: bite.messages.length === this.#bite }));
  }

  /** Indexes the batches and stores their end positions. Returns whether they contained any message. */
  #keep(end: "newest" | "oldest", bites: readonly Bite[]): boolean {
    const sign = end === "newest" ? 1 : -1;
    const messages = bites
      .flatMap((bite) => bite.messages)
      .sort((one, other) => sign * (one.createdAt - other.createdAt));
    this.#index.together(() => {
      this.#add(messages, end);
      for (const { name, messages } of bites) {
        const last = messages.at(-1);
        if (last !== undefined) this.#setMark(name, end, last.position);
      }
    });
    return messages.length > 0;
  }

  #add(messages: readonly FollowedMessage[], end: "newest" | "oldest"): void {
    const { lowest, highest } = this.#index.positions ?? { lowest: MIDDLE, highest: MIDDLE - 1 };
    let next = end === "newest" ? highest + 1 : lowest - 1;
    // a message may be in two streams
    const positioned = new Map<string, PositionedMessage>();
    for (const message of messages) {
      const { messageId } = message;
      const known = positioned.get(messageId)?.position ?? this.#index.positionOf(messageId);
      positioned.set(messageId, { position: known ?? next, message });
      if (known === undefined) next += end === "newest" ? 1 : -1;
    }
    this.#put([...positioned.values()]);
  }

  #put(positioned: readonly PositionedMessage[]): void {
    this.#index.together(() => {
      this.#index.write(positioned.map((each) => this.#toIndexed(each)));
      for (const each of positioned) this.#lookAgain(each);
    });
  }

  #toIndexed({ position, message }: PositionedMessage): IndexedMessage {
    const { messageId, tenantId, createdAt } = message;
    const { terms, words } = toDocument(tenantId, { ...message, mayChange: this.#mayChange(message) });
    return { position, messageId, createdAt, terms, words, tally: this.#tallyOf(message) };
  }

  /** Returns the tally that counts the message; undefined if the message is too old. */
  #tallyOf({ tenantId, merchantId, channel, status, createdAt }: FollowedMessage): Tally | undefined {
    if (createdAt < this.#clock.now() - TALLIED_MS) return undefined;
    return { tenantId, merchantId, channel, hour: Math.floor(createdAt / HOUR_MS), outcome: outcomeOf(status) };
  }

  #lookAgain({ position, message }: PositionedMessage): void {
    const now = this.#clock.now();
    const ageMs = now - message.createdAt;
    const at = now + Math.min(Math.max(ageMs / 2, LOOK_AGAIN_MS.least), LOOK_AGAIN_MS.most);
    this.#index.setDue(position, this.#mayChange(message) ? { at, state: stateOf(message) } : undefined);
  }

  #mayChange({ isFinal, status, createdAt }: FollowedMessage): boolean {
    return !isFinal && (status === "UNKNOWN" || this.#clock.now() - createdAt <= OPEN_MS);
  }
}

/** A message and its position in the index. */
interface PositionedMessage {
  readonly position: number;
  readonly message: FollowedMessage;
}

type Mark = "newest" | "oldest" | "settled";

interface Bite {
  readonly name: string;
  readonly messages: readonly FollowedMessage[];
  /** Whether the batch is full, so that more messages may follow. */
  readonly isFull: boolean;
}

function lastTime({ messages }: Bite): number {
  return messages.at(-1)?.createdAt ?? 0;
}

/** Cuts each batch before the first message that fails `goes`. If that leaves no message, returns the whole batches. */
function takeWhile(bites: readonly Bite[], goes: (message: FollowedMessage) => boolean): readonly Bite[] {
  const taken = bites.map((bite) => {
    const end = bite.messages.findIndex((message) => !goes(message));
    return end < 0 ? bite : { ...bite, messages: bite.messages.slice(0, end) };
  });
  return taken.some(({ messages }) => messages.length > 0) ? taken : bites;
}
