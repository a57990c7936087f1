// Notes decisions of the operator in a tenant's audit.

import type { Transaction } from "../../store/store.ts";
import { insertAuditEntry } from "./rows.ts";

/** Stands for a user's id in the entries of commands. */
const OPERATOR = 0;
const LONGEST_TARGET = 300;

/**
 * Notes a decision of the operator beside the requests of the tenant's users. `by` is the name that they gave; `subject` is
 * the digest of the recipient that it is about.
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
