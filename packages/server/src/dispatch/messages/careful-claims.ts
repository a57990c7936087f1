// A claim that fails is undone as a whole, and would fail again for ever: one message that cannot be handled would hold up
// all others. So what it looked at is claimed one by one, and the one at fault is set aside.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { PATIENCE_MS } from "../../rules/patience.ts";
import { type OutboxRow, setAside } from "../../store/outbox.ts";
import { CommitInDoubt, type Store, StoreUnavailable } from "../../store/store.ts";
import { kindOf, type MessageClaim } from "./claim.ts";

/** For how long a message is set aside that could not be handled. */
const SET_ASIDE_MS = 5 * 60_000;

/** Claims up to `limit` messages, and tells what it looks at before it changes anything. */
export type ClaimSome = (limit: number, noteLooked: (rows: readonly OutboxRow[]) => void) => Promise<MessageClaim>;

/** The claims of one lane. */
export class CarefulClaims {
  readonly #options: { readonly store: Store; readonly clock: Pick<Clock, "now">; readonly logger: Logger };
  /** How many claims are still to be of one message. */
  #left = 0;

  constructor(options: { store: Store; clock: Pick<Clock, "now">; logger: Logger }) {
    this.#options = options;
  }

  /** Rejects as the claim does if that looked at several, and at nothing that could be set aside. */
  async claim(limit: number, claimSome: ClaimSome): Promise<MessageClaim> {
    let looked: readonly OutboxRow[] = [];
    const noteLooked = (rows: readonly OutboxRow[]) => {
      looked = rows;
    };
    try {
      const claimed = await claimSome(this.#left > 0 ? 1 : limit, noteLooked);
      this.#left = Math.max(0, this.#left - 1);
      return claimed;
    } catch (error) {
      const [first] = looked;
      if (first === undefined || error instanceof StoreUnavailable || error instanceof CommitInDoubt) throw error;
      if (looked.length > 1) {
        this.#left = looked.length;
        throw error;
      }
      await this.#setAside(first, error);
      const left = { entered: new Set<string>(), queued: new Set([kindOf(first.state)]), hasCallbacks: false };
      return { tasks: [], looked: 1, isMoreDue: true, oldestDueAt: first.dueAt, nextDueAt: undefined, ...left };
    }
  }

  async #setAside(row: OutboxRow, error: unknown): Promise<void> {
    const { store, clock, logger } = this.#options;
    const { messageId } = row;
    logger.error({ err: error, messageId }, "a message could not be handled, and is set aside for 5 minutes");
    await store.write((tx) => {
      const now = clock.now();
      return setAside(tx, row, { now, dueAt: now + SET_ASIDE_MS, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS });
    });
  }
}
