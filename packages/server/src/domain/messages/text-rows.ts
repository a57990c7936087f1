// Texts between a number of this installation and a phone: which merchants texted the phone, whether it sent STOP, and how
// often it was answered. A STOP to a number blocks every merchant that uses the number, now or later.

import { batchStatement, rowOf } from "../../store/statement.ts";
import { findCount, findValue, listValues, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";

/** The last text that a merchant sent from a number to a phone. */
export interface TextContact {
  /** E.164, or a short code. */
  readonly sender: string;
  /** E.164. */
  readonly phone: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly messageId: string;
}

/**
 * Records texts that are about to be sent, in key order, so that transactions cannot deadlock. Returns each text's number
 * among those from the sender to the phone, by message id. Only texts of two merchants in the same moment may get the same.
 */
export async function noteTextContacts(
  tx: Transaction,
  contacts: readonly TextContact[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const byConversation = new Map<string, TextContact[]>();
  for (const contact of contacts) {
    const conversation = conversationOf(contact);
    const texts = byConversation.get(conversation) ?? [];
    texts.push(contact);
    byConversation.set(conversation, texts);
  }
  const numbers = new Map<string, number>();
  for (const [, texts] of [...byConversation].toSorted(byKey)) {
    const { sender, phone, tenantId, merchantId, messageId } = texts.at(-1) as TextContact;
    // the number on the locked row may be higher than the highest that the statement saw
    const last = await findCount(
      tx,
      `INSERT INTO text_contacts (sender, phone, tenant_id, merchant_id, message_id, texted_at, texts)
       VALUES ($1, $2, $3, $4, $5, $6,
         $7 + COALESCE((SELECT MAX(texts) FROM text_contacts WHERE sender = $1 AND phone = $2), 0))
       ON CONFLICT (sender, phone, tenant_id, merchant_id) DO UPDATE
         SET message_id = excluded.message_id, texted_at = excluded.texted_at,
           texts = CASE WHEN text_contacts.texts + $7 > excluded.texts THEN text_contacts.texts + $7
                        ELSE excluded.texts END
       RETURNING texts`,
      sender,
      phone,
      tenantId,
      merchantId,
      messageId,
      now,
      texts.length,
    );
    for (const [index, text] of texts.entries()) numbers.set(text.messageId, last - texts.length + 1 + index);
  }
  return numbers;
}

function conversationOf({ sender, phone, tenantId, merchantId }: TextContact): string {
  return [sender, phone, tenantId, merchantId].join(" ");
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** A STOP is recorded for at most this many merchants individually. The block applies to all. */
const MOST_CONTACTS = 1_000;

/** Lists the merchants that texted the phone from the number, most recent first. */
export function listTextContacts(tx: Transaction, sender: string, phone: string): Promise<TextContact[]> {
  return tx.all<TextContact>(
    `SELECT sender, phone, tenant_id AS "tenantId", merchant_id AS "merchantId", message_id AS "messageId"
       FROM text_contacts WHERE sender = $1 AND phone = $2 ORDER BY texted_at DESC, message_id DESC LIMIT $3`,
    sender,
    phone,
    MOST_CONTACTS,
  );
}

/** Lists the numbers from which a merchant texted a phone. */
export function listUsedSenders(
  tx: Transaction,
  { tenantId, merchantId, phone }: Pick<TextContact, "tenantId" | "merchantId" | "phone">,
): Promise<string[]> {
  return listValues<string>(
    tx,
    "SELECT sender FROM text_contacts WHERE tenant_id = $1 AND phone = $2 AND merchant_id = $3",
    tenantId,
    phone,
    merchantId,
  );
}

/** Returns whether the tenant (or the merchant, if given) has registered the sender, or texted the phone from it. */
export async function isNumberOf(
  tx: Transaction,
  { tenantId, merchantId }: { readonly tenantId: number; readonly merchantId: string | null },
  { sender, phone }: Pick<TextContact, "sender" | "phone">,
): Promise<boolean> {
  const owner = merchantId === null ? "tenant_id = $2" : "tenant_id = $2 AND merchant_id = $4";
  const row = await tx.get(
    `SELECT 1 AS found FROM numbers WHERE phone_number = $1 AND ${owner}
      UNION ALL SELECT 1 FROM text_contacts WHERE sender = $1 AND phone = $3 AND ${owner} LIMIT 1`,
    ...[sender, tenantId, phone],
    ...(merchantId === null ? [] : [merchantId]),
  );
  return row !== undefined;
}

/** Maximum number of a number's tenants that are listed. */
const MOST_TENANTS = 100;

/**
 * Lists tenants that send texts from the number, or had it for that: `EVERY_TENANT` if a carrier of all tenants does. The list
 * is empty if this installation never did.
 */
export function listTenantsOfNumber(tx: Transaction, number: string): Promise<number[]> {
  return listValues<number>(
    tx,
    `SELECT tenant_id AS "tenantId" FROM carriers WHERE sender = $1
      UNION SELECT tenant_id FROM numbers WHERE phone_number = $1
      UNION SELECT tenant_id FROM text_contacts WHERE sender = $1 LIMIT $2`,
    number,
    MOST_TENANTS,
  );
}

/**
 * Finds the tenant of a text that answers no message: the only tenant that has registered the number, or else the tenant to
 * which the carrier belongs. Undefined if there is none.
 */
export async function findTextOwner(
  tx: Transaction,
  { number, carrier }: { readonly number: string; readonly carrier: string },
): Promise<{ readonly tenantId: number; readonly merchantId: string | null } | undefined> {
  const [owner, ...others] = await tx.all<{ tenantId: number; merchantId: string }>(
    `SELECT tenant_id AS "tenantId", merchant_id AS "merchantId" FROM numbers WHERE phone_number = $1 LIMIT 2`,
    number,
  );
  if (owner !== undefined) return others.length === 0 ? owner : undefined;
  const tenantId = await findValue<number>(
    tx,
    `SELECT tenant_id AS "tenantId" FROM carriers WHERE name = $1 AND tenant_id <> 0`,
    carrier,
  );
  return tenantId === undefined ? undefined : { tenantId, merchantId: null };
}

/** The sender of a merchant's texts: its newest active, assigned number with SMS, else the carrier's number. */
export async function findSender(
  tx: Transaction,
  { tenantId, merchantId }: { readonly tenantId: number; readonly merchantId: string },
  carrier: { readonly sender: string; readonly usesMerchantNumbers: boolean },
): Promise<string> {
  if (!carrier.usesMerchantNumbers) return carrier.sender;
  const number = await findValue<string>(
    tx,
    `SELECT phone_number AS number FROM numbers
      WHERE tenant_id = $1 AND merchant_id = $2 AND status = 'ACTIVE' AND assignment_status = 'ASSIGNED'
        AND capabilities LIKE '%"SMS"%' ORDER BY number_id DESC LIMIT 1`,
    tenantId,
    merchantId,
  );
  return number ?? carrier.sender;
}

/** Lists the senders of the carriers in use that may carry a tenant's texts. */
export async function listTenantSenders(
  tx: Transaction,
  tenantId: number,
): Promise<{ readonly sender: string; readonly usesMerchantNumbers: boolean }[]> {
  const rows = await tx.all<{ tenantId: number; sender: string; merchantNumbers: 0 | 1 }>(
    `SELECT tenant_id AS "tenantId", sender, merchant_numbers AS "merchantNumbers" FROM carriers
      WHERE channel = 'SMS' AND removed_at IS NULL AND tenant_id IN ($1, 0) AND sender IS NOT NULL`,
    tenantId,
  );
  const own = rows.filter((row) => row.tenantId === tenantId);
  return (own.length > 0 ? own : rows).map(({ sender, merchantNumbers }) => ({
    sender,
    usesMerchantNumbers: merchantNumbers === 1,
  }));
}

/** A phone's STOP to a number. */
export interface TextBlock {
  readonly sender: string;
  /** Epoch milliseconds. */
  readonly blockedAt: number;
  readonly word: string;
}

export const textBlocksStatement = batchStatement({
  params: { phoneDigest: "text" },
  row: rowOf<TextBlock>(),
  one: `SELECT sender, blocked_at AS "blockedAt", word FROM text_blocks WHERE phone_digest = $1`,
  batch: {
    kind: "early-reads",
    sql: (wanted) => `
      SELECT w.ordinal, b.sender, b.blocked_at AS "blockedAt", b.word
        FROM ${wanted} JOIN text_blocks b ON b.phone_digest = w.phone_digest`,
  },
});

/** Lists the numbers to which a phone sent STOP, by the phone's digest. */
export function listTextBlocks(tx: Transaction, phoneDigest: string): Promise<TextBlock[]> {
  return tx.all(textBlocksStatement({ phoneDigest }));
}

/** Blocks texts from a number to a phone, from `now` on. */
export async function blockTexts(
  tx: Transaction,
  { phoneDigest, sender, word, now }: { phoneDigest: string; sender: string; word: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO text_blocks (phone_digest, sender, blocked_at, word) VALUES ($1, $2, $3, $4)
     ON CONFLICT (phone_digest, sender) DO UPDATE SET blocked_at = excluded.blocked_at, word = excluded.word`,
    phoneDigest,
    sender,
    now,
    word,
  );
}

/** Ends a block. Returns false if there was none. */
export async function unblockTexts(tx: Transaction, phoneDigest: string, sender: string): Promise<boolean> {
  return (await tx.run("DELETE FROM text_blocks WHERE phone_digest = $1 AND sender = $2", phoneDigest, sender)) > 0;
}

/** Finds when the contact opted in, if its current decision for the merchant is OPT_IN; else undefined. */
export function findOptInTime(
  tx: Transaction,
  key: { readonly tenantId: number; readonly merchantId: string; readonly channel: Channel; readonly contact: string },
): Promise<number | undefined> {
  return findValue<number>(
    tx,
    `SELECT updated_at AS at FROM consents
      WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND contact = $4 AND status = 'OPT_IN'`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.contact,
  );
}

/** Counts the answers in a conversation after `since`, up to `most`. */
export function countAnswers(
  tx: Transaction,
  { conversationDigest, since, most }: { conversationDigest: string; since: number; most: number },
): Promise<number> {
  return findCount(
    tx,
    `SELECT COUNT(*) AS count FROM
      (SELECT 1 FROM text_answers WHERE conversation_digest = $1 AND answered_at > $2 LIMIT $3) AS counted`,
    conversationDigest,
    since,
    most,
  );
}

export async function noteAnswer(
  tx: Transaction,
  { conversationDigest, messageId, now }: { conversationDigest: string; messageId: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO text_answers (conversation_digest, message_id, answered_at) VALUES ($1, $2, $3)
     ON CONFLICT (conversation_digest, message_id) DO NOTHING`,
    conversationDigest,
    messageId,
    now,
  );
}

/** A text to a number that belongs to no tenant. */
interface UnmatchedText {
  readonly carrier: string;
  readonly eventId: string;
  /** The number that received the text. */
  readonly sender: string;
  readonly phone: string;
  readonly content: string;
}

export async function keepUnmatchedText(
  tx: Transaction,
  { carrier, eventId, sender, phone, content }: UnmatchedText,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO unmatched_texts (carrier, event_id, sender, phone, content, received_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (carrier, event_id) DO NOTHING`,
    carrier,
    eventId,
    sender,
    phone,
    content,
    now,
  );
}

export interface KeptText extends UnmatchedText {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** Lists unmatched texts, newest first. */
export function listUnmatchedTexts(tx: Transaction, limit: number): Promise<KeptText[]> {
  return tx.all<KeptText>(
    `SELECT carrier, event_id AS "eventId", sender, phone, content, received_at AS "receivedAt"
       FROM unmatched_texts ORDER BY received_at DESC, carrier DESC, event_id DESC LIMIT $1`,
    limit,
  );
}

/** Counts unmatched texts, up to `most`. */
export function countUnmatchedTexts(tx: Transaction, most: number): Promise<number> {
  return findCount(tx, "SELECT COUNT(*) AS count FROM (SELECT 1 FROM unmatched_texts LIMIT $1) AS counted", most);
}

/** Erases a phone from a tenant's texts. Its blocks stay: they contain only a digest. */
export async function eraseConversations(tx: Transaction, tenantId: number, phone: string): Promise<void> {
  await tx.run("DELETE FROM text_contacts WHERE tenant_id = $1 AND phone = $2", tenantId, phone);
  await tx.run("DELETE FROM unmatched_texts WHERE phone = $1", phone);
}
