// Turns events of messages into callbacks, a tenant at a time, round-robin. An event is removed in the transaction that
// enqueues its callback, so it is enqueued exactly once.

import {
  findQueueKey,
  findSubscription,
  findTenantWithEvents,
  listMessageEvents,
  removeMessageEvent,
} from "../../domain/callbacks/event-rows.ts";
import { lockLanes } from "../../domain/callbacks/queue-rows.ts";
import { enqueueCallback } from "../../domain/callbacks/rows.ts";
import { viewEvent } from "../../domain/callbacks/views.ts";
import type { Occurrence, Store, Transaction } from "../../store/store.ts";

/** Maximum number of events that one transaction enqueues. */
const BITE = 32;

/** Returns whether a commit has written events, of which the dispatcher of callbacks must be notified. */
export function hasMessageEvents(occurrences: readonly Occurrence[]): boolean {
  return occurrences.some(({ kind }) => kind === "message-event");
}

/** Serves tenants that have events by turns. */
export class MessageEventTurns {
  readonly #store: Store;
  /** The tenant whose turn is next; undefined if no tenant has events. */
  #next: number | undefined;
  #last = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Enqueues some events of the tenant that {@link findNext} found. */
  async take(): Promise<void> {
    const tenantId = this.#next;
    if (tenantId === undefined) return;
    this.#next = undefined;
    this.#last = tenantId;
    await this.#store.write((tx) => enqueueEvents(tx, tenantId, BITE));
  }

  /** Finds the next tenant that has events. Returns whether there is one. */
  async findNext(tx: Transaction): Promise<boolean> {
    this.#next = (await findTenantWithEvents(tx, this.#last)) ?? (await findTenantWithEvents(tx, 0));
    return this.#next !== undefined;
  }
}

/**
 * Turns the tenant's first events into callbacks. Drops an event if the tenant is no longer told of it, or if its recipient
 * was erased.
 */
export async function enqueueEvents(tx: Transaction, tenantId: number, limit: number): Promise<void> {
  lockLanes(tx, tenantId);
  const subscription = await findSubscription(tx, tenantId);
  for (const event of await listMessageEvents(tx, tenantId, limit)) {
    await removeMessageEvent(tx, event.eventId);
    const { eventId, type, messageId, merchantId, occurredAt: now } = event;
    const isWanted = type === "message.updated" ? subscription?.tellsUpdates : subscription?.tellsTexts;
    const told = isWanted === 1 && subscription?.stoppedAt === null ? viewEvent(tenantId, event) : undefined;
    if (told === undefined || subscription === undefined) continue;
    const { url } = subscription;
    // negative, so that no call has the same key
    const requestId = (messageId === null ? undefined : await findQueueKey(tx, messageId)) ?? -eventId;
    await enqueueCallback(tx, { tenantId, requestId, url, now, ...told.event }, { messageId, merchantId, ...told });
  }
}
