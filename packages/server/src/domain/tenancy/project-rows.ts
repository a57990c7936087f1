// Stores project labels of messages and batches of calls. Only servers in development have labels.

import type { Prune } from "../../store/pruning.ts";
import { listValues, type Transaction } from "../../store/store.ts";

export interface ProjectLabel {
  readonly tenantId: number;
  readonly project: string;
  readonly now: number;
}

/** SQL of the label of `messages m`. A call has its batch's label. */
export const projectOf = `
  CASE WHEN m.channel = 'VOICE'
       THEN (SELECT p.project FROM tts_calls c JOIN project_labels p ON p.batch_id = c.batch_id
              WHERE c.message_id = m.message_id)
       ELSE (SELECT p.project FROM project_labels p WHERE p.message_id = m.message_id) END`;

/** Maximum number of labels that are read to find those used last. */
const MOST_LABELS = 1_000;

const insertText = (subject: "message_id" | "batch_id") =>
  `INSERT INTO project_labels (tenant_id, project, labelled_at, ${subject}) VALUES ($1, $2, $3, $4)`;

/** Labels a message. Call it in the transaction that accepts the message. */
export async function labelMessage(tx: Transaction, messageId: string, label: ProjectLabel): Promise<void> {
  await tx.run(insertText("message_id"), label.tenantId, label.project, label.now, messageId);
}

/** Labels all calls of a batch, including those still to be added. */
export async function labelBatch(tx: Transaction, batchId: number, label: ProjectLabel): Promise<void> {
  await tx.run(insertText("batch_id"), label.tenantId, label.project, label.now, batchId);
}

/** Gives a message the label of another message, if that has one. */
export async function labelLike(
  tx: Transaction,
  messageId: string,
  { like, now }: { readonly like: string; readonly now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO project_labels (tenant_id, project, labelled_at, message_id)
     SELECT tenant_id, project, $1, $2 FROM project_labels WHERE message_id = $3`,
    now,
    messageId,
    like,
  );
}

export async function removeBatchLabel(tx: Transaction, batchId: number): Promise<void> {
  await tx.run("DELETE FROM project_labels WHERE batch_id = $1", batchId);
}

/** Lists the tenant's labels, most recently used first. */
export function listProjects(tx: Transaction, tenantId: number, limit: number): Promise<string[]> {
  // walks the index from label to label, however many messages each label has
  const next = (condition: string) =>
    `(SELECT MIN(p.project) FROM project_labels p WHERE p.tenant_id = $1 ${condition})`;
  return listValues<string>(
    tx,
    `WITH RECURSIVE labels (project, ordinal) AS (
       SELECT ${next("")}, 1
       UNION ALL
       SELECT ${next("AND p.project > labels.project")}, ordinal + 1
         FROM labels WHERE labels.project IS NOT NULL AND ordinal < ${MOST_LABELS}
     )
     SELECT project FROM labels WHERE project IS NOT NULL
      ORDER BY (SELECT MAX(p.labelled_at) FROM project_labels p
                 WHERE p.tenant_id = $1 AND p.project = labels.project) DESC, project
      LIMIT $2`,
    tenantId,
    limit,
  );
}

/** Removes labels of messages and batches that no longer exist, oldest first. */
export const pruneProjectLabels: Prune = async (tx, { limit }) => {
  const removed = await tx.run(
    `DELETE FROM project_labels WHERE label_id IN (
       SELECT l.label_id FROM (SELECT * FROM project_labels WHERE label_id > 0 ORDER BY label_id LIMIT $1) l
        WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_id = l.message_id)
          AND NOT EXISTS (SELECT 1 FROM tts_batches b WHERE b.batch_id = l.batch_id))`,
    limit,
  );
  return { removed, earliest: undefined };
};
