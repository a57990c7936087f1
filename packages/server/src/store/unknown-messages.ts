// Messages whose outcome was never reported, for an operator to watch. SQLite has an index of them; PostgreSQL a table,
// because with such an index each move of a message would write all of its indexes.

import type { Schemas } from "@msgctl/contract";
import type { Transaction } from "./store.ts";

type MessageStatus = Schemas["MessageStatus"];

/** Notes that the message moves into UNKNOWN, or out of it. */
export async function noteUnknown(
  tx: Transaction,
  messageId: string,
  { from, to }: { from: MessageStatus; to: MessageStatus },
): Promise<void> {
  if (!tx.dialect.hasQueueTable || from === to) return;
  if (to === "UNKNOWN") {
    await tx.run(
      `INSERT INTO unknown_messages (message_id, tenant_id) SELECT message_id, tenant_id FROM messages WHERE message_id = $1
       ON CONFLICT (message_id) DO NOTHING`,
      messageId,
    );
  }
  if (from === "UNKNOWN") await tx.run("DELETE FROM unknown_messages WHERE message_id = $1", messageId);
}

/** How many there are, at most `most`. */
export async function countUnknown(tx: Transaction, most: number): Promise<number> {
  const row = await tx.get<{ count: number }>(
    tx.dialect.hasQueueTable
      ? "SELECT COUNT(*) AS count FROM (SELECT 1 FROM unknown_messages LIMIT $1) AS counted"
      : "SELECT COUNT(*) AS count FROM (SELECT 1 FROM messages WHERE status = 'UNKNOWN' LIMIT $1) AS counted",
    most,
  );
  return row?.count ?? 0;
}

/** How many of them a tenant has, at most `most`. */
export async function countUnknownOf(tx: Transaction, tenantId: number, most: number): Promise<number> {
  const row = await tx.get<{ count: number }>(
    tx.dialect.hasQueueTable
      ? "SELECT COUNT(*) AS count FROM (SELECT 1 FROM unknown_messages WHERE tenant_id = $1 LIMIT $2) AS counted"
      : `SELECT COUNT(*) AS count FROM
          (SELECT 1 FROM messages WHERE status = 'UNKNOWN' AND tenant_id = $1 LIMIT $2) AS counted`,
    tenantId,
    most,
  );
  return row?.count ?? 0;
}
