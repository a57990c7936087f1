// Viewers of searches, and what each is told of messages that are new or have changed.

import { isFound } from "../rules/search-language.ts";
import type { FollowedMessage } from "./follower.ts";
import { isIn, type ScopedSearch } from "./page-search.ts";

/** What has become of the messages that are watched. */
export interface WatchedChanges {
  /** As they are now. */
  readonly messages: readonly FollowedMessage[];
  /** Ids of those that have changed and are not found. */
  readonly gone: readonly string[];
  /** How many more were found. */
  readonly more: number;
}

export type Tell = (changes: WatchedChanges) => void;

/** Told to a viewer at a time: five every quarter of a second are as many as a person can follow. */
const MOST_TOLD = { messages: 5, gone: 50 };

export class Watches {
  readonly #watches = new Set<Watched>();

  get size(): number {
    return this.#watches.size;
  }

  /** Returns a function that ends it. */
  add(scoped: ScopedSearch, tell: Tell): () => void {
    const watched = new Watched(scoped, tell);
    this.#watches.add(watched);
    return () => this.#watches.delete(watched);
  }

  note(messages: readonly FollowedMessage[]): void {
    for (const watched of this.#watches) for (const message of messages) watched.note(message);
  }

  /** Tells each viewer what was noted. */
  tell(): void {
    for (const watched of this.#watches) watched.tell();
  }
}

class Watched {
  readonly #scoped: ScopedSearch;
  readonly #tell: Tell;
  readonly #messages = new Map<string, FollowedMessage>();
  readonly #gone = new Set<string>();
  #more = 0;

  constructor(scoped: ScopedSearch, tell: Tell) {
    this.#scoped = scoped;
    this.#tell = tell;
  }

  note(message: FollowedMessage): void {
    const { scope, search } = this.#scoped;
    if (!isIn(scope, message)) return;
    const { messageId } = message;
    if (!isFound(message, search)) {
      this.#messages.delete(messageId);
      if (this.#gone.size < MOST_TOLD.gone) this.#gone.add(messageId);
    } else if (this.#messages.has(messageId) || this.#messages.size < MOST_TOLD.messages) {
      this.#gone.delete(messageId);
      this.#messages.set(messageId, message);
    } else this.#more += 1;
  }

  tell(): void {
    if (this.#messages.size + this.#gone.size + this.#more === 0) return;
    const changes = { messages: [...this.#messages.values()], gone: [...this.#gone], more: this.#more };
    this.#messages.clear();
    this.#gone.clear();
    this.#more = 0;
    this.#tell(changes);
  }
}
