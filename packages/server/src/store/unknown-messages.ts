// Messages whose outcome was never reported, for an operator to watch.

import { toQueueText } from "./queue/columns.ts";
import type { Transaction } from "./store.ts";

const countUnknownStatement = toQueueText(
  ({ unknown }) => `SELECT COUNT(*) AS count FROM (SELECT 1 FROM (${unknown}) AS unknown LIMIT $1) AS counted`,
);
const countUnknownOfStatement = toQueueText(
  ({ unknown }) => `
  SELECT COUNT(*) AS count FROM (SELECT 1 FROM (${unknown}) AS unknown WHERE tenant_id = $2 LIMIT $1) AS counted`,
);

/** How many there are, at most `most`; of one tenant if `tenantId` is given. */
export async function countUnknown(tx: Transaction, most: number, tenantId?: number): Promise<number> {
  const row = await (tenantId === undefined
    ? tx.get<{ count: number }>(countUnknownStatement, most)
    : tx.get<{ count: number }>(countUnknownOfStatement, most, tenantId));
  return row?.count ?? 0;
}
