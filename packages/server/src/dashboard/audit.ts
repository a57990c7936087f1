// Notes who asked for what before it is answered: nothing is shown or changed that is not in the table. Whether a change was
// made is told by what it changes.

import type { Clock } from "../platform/clock.ts";
import { parseEmailAddress } from "../rules/contacts.ts";
import { ERASED, type RecipientDigest, readErasedRecipient } from "../rules/erased-recipients.ts";
import { maskContact } from "../rules/masked-contacts.ts";
import { parseSearch } from "../rules/search-language.ts";
import type { AnyInput } from "../steps/operation.ts";
import { type AuditRow, insertAuditEntry, listAuditEntries, listAuditEntriesAbout } from "../store/audit.ts";
import { findSearchedMessages } from "../store/searched-messages.ts";
import type { Store } from "../store/store.ts";
import { findTenantCallback } from "../store/tenant-callbacks.ts";
import { findUser } from "../store/users.ts";
import type { DashboardCaller } from "./dashboard-api.ts";

/** A page that asks for the same again and again is noted this often. */
const AGAIN_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;
const LONGEST_TARGET = 300;
/** Members of an input that say what it is about, and are neither a secret nor a recipient. */
const TOLD = /Id$|^(?:email|role|apiKey)$/;

export interface Asked extends AnyInput {
  readonly operationId: string;
  readonly requestId: string;
  readonly isRead: boolean;
}

export interface AskedEntries {
  readonly about: string | undefined;
  readonly before: number;
  readonly limit: number;
}

export interface AuditOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly digestRecipient: RecipientDigest;
}

export class Audit {
  readonly #options: AuditOptions;
  /** When reads were noted, the longest ago first. */
  readonly #noted = new Map<string, number>();

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** Resolves when it is noted. The input is as it came. */
  async note(caller: DashboardCaller, asked: Asked): Promise<void> {
    const { userId, email, sessionId, tenantId } = caller;
    if (userId === null || email === null) return;
    const { store, clock } = this.#options;
    const now = clock.now();
    const { operationId: operation, requestId } = asked;
    const about = describe(asked, caller, now);
    const contact = about.contact ?? (await this.#findRecipient(tenantId, asked));
    const subject = contact === undefined ? null : this.#digest(tenantId, contact);
    const told = [about.target, (await this.#findAddress(tenantId, asked)) ?? ""].filter(Boolean).join(", ");
    const target = told === "" ? null : told.slice(0, LONGEST_TARGET);
    const key = JSON.stringify([sessionId, operation, target, subject]);
    if (asked.isRead && this.#isNoted(key, now)) return;
    await store.write((tx) =>
      insertAuditEntry(tx, { tenantId, userId, email, operation, requestId, target, subject, askedAt: now }),
    );
    if (asked.isRead) this.#remember(key, now);
  }

  /** The tenant's entries before one, the last ones first; with `about` those about a recipient. */
  list(tenantId: number, { about, before, limit }: AskedEntries): Promise<AuditRow[]> {
    const { store } = this.#options;
    if (about === undefined) return store.read((tx) => listAuditEntries(tx, { tenantId, before, limit }));
    const subject = this.#digest(tenantId, about);
    return store.read((tx) => listAuditEntriesAbout(tx, { tenantId, subject, before, limit }));
  }

  /** By which what was asked about a recipient is found, even after they were erased. */
  #digest(tenantId: number, contact: string): string {
    return (
      readErasedRecipient(contact) ??
      this.#options.digestRecipient(tenantId, parseEmailAddress(contact) ?? contact.trim())
    );
  }

  #isNoted(key: string, now: number): boolean {
    const at = this.#noted.get(key);
    return at !== undefined && at <= now && now < at + AGAIN_MS;
  }

  #remember(key: string, now: number): void {
    this.#noted.delete(key);
    this.#noted.set(key, now);
    const [oldest] = this.#noted.keys();
    if (this.#noted.size > MOST_REMEMBERED && oldest !== undefined) this.#noted.delete(oldest);
  }

  async #findRecipient(tenantId: number, { path }: Asked): Promise<string | undefined> {
    const { messageId, webhookId } = Object(path) as { messageId?: unknown; webhookId?: unknown };
    if (typeof webhookId === "string") return this.#findCalled(tenantId, webhookId);
    if (typeof messageId !== "string") return undefined;
    const [message] = await this.#options.store.read((tx) => findSearchedMessages(tx, [messageId]));
    return message?.tenantId === tenantId ? message.to : undefined;
  }

  /** Of the user whom it is about. */
  async #findAddress(tenantId: number, { path }: Asked): Promise<string | undefined> {
    const { userId } = Object(path) as { userId?: unknown };
    if (typeof userId !== "string" || !/^[1-9]\d{0,15}$/.test(userId)) return undefined;
    const user = await this.#options.store.read((tx) => findUser(tx, Number(userId)));
    return user?.tenantId === tenantId ? user.email : undefined;
  }

  /** Whom the call was made to that a callback tells of; one who was erased is not known by it any more. */
  async #findCalled(tenantId: number, webhookId: string): Promise<string | undefined> {
    const callback = await this.#options.store.read((tx) => findTenantCallback(tx, tenantId, webhookId));
    const { type, toNumber = null } = callback ?? {};
    if (type === "voice.tts_batch.finalized" || toNumber === null || toNumber === ERASED) return undefined;
    return toNumber;
  }
}

/** What it is about, in words that show no recipient, and the recipient. */
function describe(
  { path, query, body }: AnyInput,
  { timezone }: DashboardCaller,
  now: number,
): { readonly target: string; readonly contact: string | undefined } {
  const { q, ...values } = { ...Object(query), ...Object(body), ...Object(path) } as Record<string, unknown>;
  if (typeof q === "string") return describeSearch(q, { timezone, now });
  const contact = [values.contact, values.to, values.from].find((value) => typeof value === "string");
  const parts = Object.entries(values).flatMap(([name, value]) =>
    TOLD.test(name) && typeof value === "string" ? [`${name} ${value}`] : [],
  );
  if (contact !== undefined) parts.push(maskContact(contact));
  return { target: parts.join(", "), contact };
}

function describeSearch(q: string, surroundings: { timezone: string; now: number }) {
  const read = parseSearch(q, surroundings);
  const conditions = "search" in read ? read.search.conditions : [];
  const contacts = conditions.flatMap((condition) => (condition.about === "to" ? [condition.value] : []));
  let target = q;
  for (const contact of contacts) {
    const at = target.toLowerCase().indexOf(contact);
    if (at >= 0) target = target.slice(0, at) + maskContact(contact) + target.slice(at + contact.length);
  }
  return { target, contact: contacts[0] };
}
