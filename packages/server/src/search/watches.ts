// Viewers of searches, and what each is told of messages that are new or have changed.

import { isFound } from "../rules/search-language.ts";
import type { FollowedMessage } from "./message-stream.ts";
import type { ScopedSearch } from "./page-search.ts";
import { isIn } from "./search-terms.ts";
import type { WatchedChanges } from "./searches.ts";

type Tell = (changes: WatchedChanges) => void;

/** Viewers told at a time: what each is told takes the server's thread some 40 µs. */
const MOST_AT_ONCE = 64;
/** Told to a viewer at a time: five every quarter of a second are as many as a person can follow. */
const MOST_TOLD = { messages: 5, gone: 50 };

export class Watches {
  /** By tenant. */
  readonly #watches = new Map<number, Set<Watched>>();
  /** Those who are to be told something, the longest first. */
  readonly #untold = new Set<Watched>();

  get size(): number {
    return [...this.#watches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns a function that ends it. */
  add(scoped: ScopedSearch, tell: Tell): () => void {
    const { tenantId } = scoped.scope;
    const watched = new Watched(scoped, tell);
    const own = this.#watches.get(tenantId) ?? new Set();
    this.#watches.set(tenantId, own.add(watched));
    return () => {
      own.delete(watched);
      this.#untold.delete(watched);
      if (own.size === 0 && this.#watches.get(tenantId) === own) this.#watches.delete(tenantId);
    };
  }

  note(messages: readonly FollowedMessage[], what: "new" | "changed"): void {
    for (const message of messages) {
      for (const watched of this.#watches.get(message.tenantId) ?? []) {
        if (watched.note(message, what)) this.#untold.add(watched);
      }
    }
  }

  /** Tells viewers what was noted, some of them where there are many: the others go first the next time. */
  tell(): void {
    for (const watched of [...this.#untold].slice(0, MOST_AT_ONCE)) {
      this.#untold.delete(watched);
      watched.tell();
    }
  }
}

class Watched {
  readonly #scoped: ScopedSearch;
  readonly #tell: Tell;
  /** Whether a message that has changed may be found that was not, and the other way round. */
  readonly #isOfStates: boolean;
  readonly #messages = new Map<string, FollowedMessage>();
  readonly #gone = new Set<string>();
  #more = 0;
  #changed = 0;

  constructor(scoped: ScopedSearch, tell: Tell) {
    this.#scoped = scoped;
    this.#tell = tell;
    this.#isOfStates = scoped.search.conditions.some(({ about }) => about === "status" || about === "reason");
  }

  /** Returns whether there is something to be told. */
  note(message: FollowedMessage, what: "new" | "changed"): boolean {
    const { scope, search } = this.#scoped;
    if (!isIn(scope, message)) return false;
    const { messageId } = message;
    if (!isFound(message, search)) {
      this.#messages.delete(messageId);
      if (what === "new" || !this.#isOfStates || this.#gone.size >= MOST_TOLD.gone) return false;
      this.#gone.add(messageId);
    } else if (this.#messages.has(messageId) || this.#messages.size < MOST_TOLD.messages) {
      this.#gone.delete(messageId);
      this.#messages.set(messageId, message);
    } else if (what === "new" || this.#isOfStates) this.#more += 1;
    else this.#changed += 1;
    return true;
  }

  tell(): void {
    const messages = [...this.#messages.values()];
    const changes = { messages, gone: [...this.#gone], more: this.#more, changed: this.#changed };
    this.#messages.clear();
    this.#gone.clear();
    this.#more = 0;
    this.#changed = 0;
    this.#tell(changes);
  }
}
