// Records the operator's decisions: in the audit of their tenant or, for all tenants, in that of operators (`EVERY_TENANT`).

import type { Transaction } from "../../store/store.ts";
import { insertAuditEntry } from "./rows.ts";

/**
 * The commands of `msgd` that are recorded: those that change something of a tenant or of all tenants, or show a recipient's
 * data or a secret.
 */
export const recordedCommands = [
  "callbacks remove",
  "callbacks secret",
  "callbacks set",
  "callbacks test",
  "carriers remove",
  "carriers set",
  "carriers test",
  "keys create",
  "keys revoke",
  "keys rotate",
  "messages cancel",
  "messages settle",
  "payments settle",
  "processors remove",
  "processors set",
  "provisioning import",
  "recipients erase",
  "recipients export",
  "recipients show",
  "recipients unsuppress",
  "registrations review",
  "restore",
  "secrets reseal",
  "tenants create",
  "tenants disable",
  "tenants enable",
  "tenants limit",
  "tenants second-factor",
  "tenants text-hours",
  "users create",
  "users disable",
  "users reset",
] as const;

export type RecordedCommand = (typeof recordedCommands)[number];

/** User id of audit entries that commands make. */
const OPERATOR = 0;
const LONGEST_TARGET = 300;

/**
 * Adds a decision of the operator to the audit of the tenant, or of operators for `EVERY_TENANT`. `by` is the operator's
 * name, as given; `subject` is the digest of the recipient concerned.
 */
export async function noteDecision(
  tx: Transaction,
  entry: { tenantId: number; by: string; operation: RecordedCommand; target: string; subject?: string; now: number },
): Promise<void> {
  const { tenantId, by: email, operation, subject = null, now: askedAt } = entry;
  const target = Array.from(entry.target).slice(0, LONGEST_TARGET).join("");
  // a command has no request
  const about = { operation, requestId: "", target, subject };
  await insertAuditEntry(tx, { tenantId, userId: OPERATOR, email, ...about, askedAt });
}
