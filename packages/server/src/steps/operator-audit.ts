import { insertAuditEntry } from "../store/audit.ts";
import type { Transaction } from "../store/store.ts";

/** Stands for a user's id in the entries of commands. */
const OPERATOR = 0;
const LONGEST_TARGET = 300;

/** Notes a decision of the operator among what the tenant's users asked for. `by` is who they say they are. */
export async function noteDecision(
  tx: Transaction,
  entry: { tenantId: number; by: string; operation: string; target: string; now: number },
): Promise<void> {
  const { tenantId, by: email, operation, now: askedAt } = entry;
  const target = Array.from(entry.target).slice(0, LONGEST_TARGET).join("");
  // a command has no request
  const about = { operation, requestId: "", target, subject: null };
  await insertAuditEntry(tx, { tenantId, userId: OPERATOR, email, ...about, askedAt });
}
