// Records the dashboard's requests before they are answered, so that nothing is shown or changed without an entry
// (docs/decisions/0069). Entries never contain a recipient or a search in clear text, because an erasure
// could not remove them from there.

import type { Views } from "@msgctl/dashboard/api";
import { nextDate, startOfDay } from "../domain/calendar.ts";
import { findSubscription } from "../domain/callbacks/event-rows.ts";
import { findTenantCallback } from "../domain/callbacks/list-rows.ts";
import { findCall } from "../domain/calls/rows.ts";
import { ERASED, maskContact, type RecipientDigest, readErasedRecipient } from "../domain/contacts.ts";
import type { AnyInput } from "../domain/handler.ts";
import { findAlert } from "../domain/merchants/alert-rows.ts";
import { findRecipient, readContact, readRecipient } from "../domain/recipients/recipients.ts";
import { maskId, maskName, parseSearch, tellSearch } from "../domain/recipients/search-language.ts";
import { findSearchedMessages } from "../domain/recipients/searched-rows.ts";
import { Refusal } from "../domain/refusal.ts";
import { type AuditRow, insertAuditEntry, listAuditEntries, listAuditEntriesAbout } from "../domain/tenancy/rows.ts";
import { findUser } from "../domain/users/rows.ts";
import type { Clock } from "../platform/clock.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { DashboardCaller, DashboardHandlers } from "./dashboard-api.ts";

/** A repeated read is recorded once in this many milliseconds. */
const AGAIN_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;
const LONGEST_TARGET = 300;
/** A request with up to this many recipients gets one entry per recipient; a larger one gets one entry that counts them. */
const MOST_RECIPIENTS = 20;
/** Input fields that contain recipients. */
const RECIPIENTS = ["contact", "to", "from", "toNumber", "toNumbers"] as const;

export interface Asked extends AnyInput {
  readonly operationId: string;
  readonly requestId: string;
  readonly isRead: boolean;
}

interface AskedEntries {
  readonly about: string | undefined;
  readonly before: number;
  readonly limit: number;
}

interface AuditOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly digestRecipient: RecipientDigest;
}

export class Audit {
  readonly #options: AuditOptions;
  /** When each read was last recorded, the oldest first. */
  readonly #noted = new Map<string, number>();

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** Records a request whose input is valid. Resolves when the entry is stored. */
  async note(caller: DashboardCaller, asked: Asked): Promise<void> {
    const { tenantId, timezone } = caller;
    const { store, clock } = this.#options;
    const about = describe(asked, { timezone, now: clock.now() });
    const led = await store.read((tx) => findLed(tx, { tenantId, operationId: asked.operationId }, about.ids));
    const recipients = [...new Set([...about.recipients, ...led.recipients])];
    const isCounted = recipients.length > MOST_RECIPIENTS;
    if (isCounted) about.words.push(`${recipients.length} recipients`);
    else if (!about.isSearch) about.words.push(...about.recipients.map((recipient) => maskContact(recipient)));
    const subjects = isCounted ? [] : recipients.map((recipient) => this.#digest(tenantId, recipient));
    await this.#insert(caller, asked, [...about.words, ...led.words], subjects);
  }

  /** Records that the caller's role did not suffice, at most once in `AGAIN_MS` for each operation. */
  noteRefusal(caller: DashboardCaller, asked: Omit<Asked, keyof AnyInput>): Promise<void> {
    const words = [`refused: the role ${caller.role} is not enough`];
    return this.#insert(caller, { ...asked, isRead: true }, words, []);
  }

  async #insert(
    { userId, email, sessionId, tenantId }: DashboardCaller,
    { operationId: operation, requestId, isRead }: Omit<Asked, keyof AnyInput>,
    words: readonly string[],
    subjects: readonly string[],
  ): Promise<void> {
    if (userId === null || email === null) return;
    const { store, clock } = this.#options;
    const now = clock.now();
    const target = words.length === 0 ? null : words.join(", ").slice(0, LONGEST_TARGET);
    const key = JSON.stringify([sessionId, operation, target, subjects]);
    if (isRead && this.#isNoted(key, now)) return;
    const entry = { tenantId, userId, email, operation, requestId, target, askedAt: now };
    await store.write(async (tx) => {
      for (const subject of subjects.length === 0 ? [null] : subjects)
        await insertAuditEntry(tx, { ...entry, subject });
    });
    if (isRead) this.#remember(key, now);
  }

  /** Lists the tenant's entries before the entry `before`, the latest first. `about` limits them to one recipient. */
  list(tenantId: number, { about, before, limit }: AskedEntries): Promise<AuditRow[]> {
    const { store } = this.#options;
    if (about === undefined) return store.read((tx) => listAuditEntries(tx, { tenantId, before, limit }));
    const subject = this.#digest(tenantId, about);
    return store.read((tx) => listAuditEntriesAbout(tx, { tenantId, subject, before, limit }));
  }

  /** Returns the digest that finds the entries about a recipient, even after the recipient was erased. */
  #digest(tenantId: number, contact: string): string {
    const { digestRecipient } = this.#options;
    return readErasedRecipient(contact) ?? digestRecipient(tenantId, readContact(contact) ?? contact.trim());
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
}

/** The subject of a request, read from its input. */
interface About {
  /** Words for the entry. They contain no recipient in clear text. */
  readonly words: string[];
  readonly recipients: readonly string[];
  /** Whether the request is a search. If so, `words` already mentions the recipients. */
  readonly isSearch: boolean;
  readonly ids: { readonly [Name in "messageId" | "webhookId" | "requestId" | "userId" | "alertId"]?: string };
}

function describe({ path, query, body }: AnyInput, surroundings: { timezone: string; now: number }): About {
  const ids = Object(path) as Readonly<Record<string, unknown>>;
  const { q, merchantId, email, role, secondFactor, carrier, url, events, ...values } = {
    ...Object(query),
    ...Object(body),
    ...ids,
  };
  const words = Object.entries(ids).flatMap(([name, id]) =>
    isId(name) ? [`${name} ${name === "merchantId" ? maskName(String(id)) : maskId(String(id))}`] : [],
  );
  for (const [name, value] of Object.entries({ email, role, merchantId, secondFactor, carrier, url })) {
    if (typeof value === "string" && ids[name] === undefined) words.push(`${name} ${maskName(value)}`);
  }
  if (Array.isArray(events)) words.push(`events ${events.join(", ")}`);
  // the operation itself refuses an invalid search
  const read = typeof q === "string" ? parseSearch(q, surroundings) : undefined;
  const search = read && "search" in read ? read.search : undefined;
  const searched = search?.conditions ?? [];
  const recipients = [
    ...RECIPIENTS.flatMap((name) => values[name] ?? [])
      .filter((value) => typeof value === "string")
      .map((value) => findRecipient(value, surroundings.timezone) ?? value),
    ...searched.flatMap((condition) => (condition.about === "to" ? (readContact(condition.value) ?? []) : [])),
  ];
  if (search !== undefined) words.push(...tellSearch(search));
  const [searchedId] = searched.flatMap((condition) => (condition.about === "id" ? [condition.value] : []));
  const led = searchedId === undefined ? ids : { ...ids, messageId: searchedId };
  return { words, recipients, isSearch: q !== undefined, ids: led };
}

function isId(name: string): boolean {
  return name.endsWith("Id") || name === "apiKey";
}

/**
 * Finds the recipient of a message, call or callback, or words for a user, an alert or a URL that is removed. Finds nothing
 * of another tenant.
 */
async function findLed(
  tx: Transaction,
  { tenantId, operationId }: { readonly tenantId: number; readonly operationId: string },
  { messageId, webhookId, requestId, userId, alertId }: About["ids"],
): Promise<{ readonly recipients: readonly string[]; readonly words: readonly string[] }> {
  if (messageId !== undefined) {
    const [message] = await findSearchedMessages(tx, [messageId]);
    return { recipients: message?.tenantId === tenantId ? [message.to] : [], words: [] };
  }
  if (requestId !== undefined) {
    const call = await findCall(tx, Number(requestId));
    return { recipients: call?.tenantId === tenantId ? known(call.toNumber) : [], words: [] };
  }
  if (webhookId !== undefined) {
    const { type, contact = null } = (await findTenantCallback(tx, tenantId, webhookId)) ?? {};
    return { recipients: type === "voice.tts_batch.finalized" ? [] : known(contact), words: [] };
  }
  if (alertId !== undefined) {
    const alert = await findAlert(tx, tenantId, Number(alertId));
    return {
      recipients: [],
      words: alert === undefined ? [] : [`merchantId ${maskName(alert.merchantId)}`, alert.message],
    };
  }
  if (operationId === "removeEventSubscription") {
    const subscription = await findSubscription(tx, tenantId);
    return { recipients: [], words: subscription === undefined ? [] : [`url ${subscription.url}`] };
  }
  const user = userId === undefined ? undefined : await findUser(tx, Number(userId));
  return { recipients: [], words: user?.tenantId === tenantId ? [user.email] : [] };
}

/** Returns a list with the number. The list is empty if the number is null or its recipient was erased. */
function known(toNumber: string | null): readonly string[] {
  return toNumber === null || toNumber === ERASED ? [] : [toNumber];
}

const PAGE = 100;
/** The most entries that one filtered request reads. There are no indexes by user, operation or time. */
const MOST_EXAMINED = 1_000;

/** Creates the handler that lists the audit. In development `audit` is undefined, and the list is empty. */
export function auditHandlers(audit: Audit | undefined): DashboardHandlers<"listAuditEntries"> {
  return {
    listAuditEntries: {
      async answer({ tenantId, merchantId, timezone }, { query }) {
        if (merchantId !== null) {
          throw new Refusal(
            "merchant_scope_denied",
            "The audit covers the whole tenant, but you see only one merchant.",
          );
        }
        const { about, before = Number.MAX_SAFE_INTEGER, email, operation, from, to } = query;
        const isFiltered = [email, operation, from, to].some((filter) => filter !== undefined);
        const limit = isFiltered ? MOST_EXAMINED : PAGE + 1;
        const contact = about === undefined ? undefined : readAbout(about, timezone);
        const found = (await audit?.list(tenantId, { about: contact, before: Number(before), limit })) ?? [];
        const since = from === undefined ? Number.NEGATIVE_INFINITY : startOfDay(from, timezone);
        const until = to === undefined ? Number.POSITIVE_INFINITY : startOfDay(nextDate(to), timezone);
        const matching = found.filter(
          (entry) =>
            (email === undefined || entry.email.toLowerCase() === email.trim().toLowerCase()) &&
            (operation === undefined || entry.operation === operation) &&
            since <= entry.askedAt &&
            entry.askedAt < until,
        );
        const entries = matching.slice(0, PAGE).map(viewEntry);
        const last = matching.length > PAGE ? matching[PAGE - 1] : found.at(-1);
        const isMore =
          matching.length > PAGE || (found.length === limit && last !== undefined && since <= last.askedAt);
        return { entries, next: isMore ? (last?.entryId ?? null) : null };
      },
    },
  };
}

function viewEntry({ userId: _userId, askedAt, requestId, ...entry }: AuditRow): Views["AuditEntry"] {
  return { ...entry, requestId: requestId === "" ? null : requestId, askedAt: new Date(askedAt).toISOString() };
}

/** Reads a recipient, who may be erased. Throws as `readRecipient` does. */
function readAbout(text: string, timezone: string): string {
  if (readErasedRecipient(text.trim()) !== undefined) return text.trim();
  return readRecipient(text, timezone, "/query/about");
}
