// Empties the database of a development server.

import { listTables } from "./migrate.ts";
import type { Transaction } from "./store.ts";

/** This table identifies the secret key that instances share. It has no tenant's data. */
const KEPT = "installation";

/** Deletes all rows except the record of migrations and the row of `installation`. */
export async function emptyTables(tx: Transaction): Promise<void> {
  // in reverse order of creation, because a table refers only to earlier ones
  for (const table of listTables(tx.dialect).reverse()) if (table !== KEPT) await tx.run(`DELETE FROM ${table}`);
}
