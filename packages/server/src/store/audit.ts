// What users of the dashboard asked for: views of recipients, and changes. Also what the operator decided by a command.

import type { Transaction } from "./store.ts";

export interface AuditEntry {
  readonly tenantId: number;
  /** 0 for the operator. */
  readonly userId: number;
  /** The user's, as it was, or the name that the operator gave. */
  readonly email: string;
  readonly operation: string;
  /** Empty for a command. */
  readonly requestId: string;
  /** What it was about, for people to read; null if about nothing in particular. */
  readonly target: string | null;
  /** A keyed digest of the recipient; null if about none. */
  readonly subject: string | null;
  /** Epoch milliseconds. */
  readonly askedAt: number;
}

export interface AuditRow extends Omit<AuditEntry, "tenantId" | "subject"> {
  readonly entryId: number;
}

export async function insertAuditEntry(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.run(
    `INSERT INTO audit_entries (tenant_id, user_id, email, operation, request_id, target, subject, asked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    entry.tenantId,
    entry.userId,
    entry.email,
    entry.operation,
    entry.requestId,
    entry.target,
    entry.subject,
    entry.askedAt,
  );
}

const columns = `entry_id AS "entryId", user_id AS "userId", email, operation, request_id AS "requestId", target,
  asked_at AS "askedAt"`;

/** The tenant's before an entry, the last ones first. */
export function listAuditEntries(
  tx: Transaction,
  { tenantId, before, limit }: { tenantId: number; before: number; limit: number },
): Promise<AuditRow[]> {
  return tx.all<AuditRow>(
    `SELECT ${columns} FROM audit_entries WHERE tenant_id = $1 AND entry_id < $2 ORDER BY entry_id DESC LIMIT $3`,
    tenantId,
    before,
    limit,
  );
}

/** Those of them about a recipient. */
export function listAuditEntriesAbout(
  tx: Transaction,
  { tenantId, subject, before, limit }: { tenantId: number; subject: string; before: number; limit: number },
): Promise<AuditRow[]> {
  return tx.all<AuditRow>(
    `SELECT ${columns} FROM audit_entries WHERE tenant_id = $1 AND subject = $2 AND entry_id < $3
      ORDER BY entry_id DESC LIMIT $4`,
    tenantId,
    subject,
    before,
    limit,
  );
}
