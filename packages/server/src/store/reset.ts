// Empties the database of a development server.

import { listTables } from "./migrate.ts";
import type { Transaction } from "./store.ts";

/** Says which secret key instances share: no tenant's. */
const KEPT = "installation";

/** Deletes every row of every tenant: everything but the record of migrations and the row of the installation. */
export async function emptyTables(tx: Transaction): Promise<void> {
  // the last created first: a table refers only to earlier ones
  for (const table of listTables(tx.dialect).reverse()) if (table !== KEPT) await tx.run(`DELETE FROM ${table}`);
}
