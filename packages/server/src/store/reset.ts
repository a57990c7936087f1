import { listTables } from "./migrations/migrate.ts";
import type { Transaction } from "./store.ts";

/** Deletes every row of every tenant: everything but the record of migrations. */
export async function emptyTables(tx: Transaction): Promise<void> {
  // the last created first: a table refers only to earlier ones
  for (const table of listTables(tx.dialect).reverse()) await tx.run(`DELETE FROM ${table}`);
}
