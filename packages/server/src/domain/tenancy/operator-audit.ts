// Records the operator's decisions in a tenant's audit.

import type { Transaction } from "../../store/store.ts";
import { insertAuditEntry } from "./rows.ts";

/** User id of audit entries that commands make. */
const OPERATOR = 0;
const LONGEST_TARGET = 300;

/**
 * Adds a decision of the operator to the audit of the tenant's users. `by` is the operator's name, as given; `subject` is
 * the digest of the recipient concerned.
 */
export async function noteDecision(
  tx: Transaction,
  entry: { tenantId: number; by: string; operation: string; target: string; subject?: string; now: number },
): Promise<void> {
  const { tenantId, by: email, operation, subject = null, now: askedAt } = entry;
  const target = Array.from(entry.target).slice(0, LONGEST_TARGET).join("");
  // a command has no request
  const about = { operation, requestId: "", target, subject };
  await insertAuditEntry(tx, { tenantId, userId: OPERATOR, email, ...about, askedAt });
}
