// Under which labels messages and batches of calls were accepted: rows of a server in development alone.

import type { Bite, Prune } from "./pruning.ts";
import { listValues, type Transaction } from "./store.ts";

export interface ProjectLabel {
  readonly tenantId: number;
  readonly project: string;
  readonly now: number;
}

/** The label of `messages m`. A call has its batch's. */
export const projectOf = `
  CASE WHEN m.channel = 'VOICE'
       THEN (SELECT p.project FROM tts_calls c JOIN project_labels p ON p.batch_id = c.batch_id
              WHERE c.message_id = m.message_id)
       ELSE (SELECT p.project FROM project_labels p WHERE p.message_id = m.message_id) END`;

/** The most labels that are looked through for those seen last. */
const MOST_LABELS = 1_000;

/** Labels a message that was accepted in the same unit of work. */
export async function labelMessage(
  tx: Transaction,
  messageId: string,
  { tenantId, project, now }: ProjectLabel,
): Promise<void> {
  await tx.run(
    "INSERT INTO project_labels (tenant_id, project, labelled_at, message_id) VALUES ($1, $2, $3, $4)",
    tenantId,
    project,
    now,
    messageId,
  );
}

/** Labels all calls of a batch, those that are still to be added too. */
export async function labelBatch(
  tx: Transaction,
  batchId: number,
  { tenantId, project, now }: ProjectLabel,
): Promise<void> {
  await tx.run(
    "INSERT INTO project_labels (tenant_id, project, labelled_at, batch_id) VALUES ($1, $2, $3, $4)",
    tenantId,
    project,
    now,
    batchId,
  );
}

/** Labels a message as another one is, if that is. */
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

/** The tenant's labels, the one that was used last first. */
export function listProjects(tx: Transaction, tenantId: number, limit: number): Promise<string[]> {
  // from one label to the next by the index, however many messages each has
  const next = (condition: string) =>
    `(SELECT MIN(p.project) FROM project_labels p WHERE p.tenant_id = $1 ${condition})`;
  return listValues<string>(
    tx,
    `WITH RECURSIVE labels (project, place) AS (
       SELECT ${next("")}, 1
       UNION ALL
       SELECT ${next("AND p.project > labels.project")}, place + 1
         FROM labels WHERE labels.project IS NOT NULL AND place < ${MOST_LABELS}
     )
     SELECT project FROM labels WHERE project IS NOT NULL
      ORDER BY (SELECT MAX(p.labelled_at) FROM project_labels p
                 WHERE p.tenant_id = $1 AND p.project = labels.project) DESC, project
      LIMIT $2`,
    tenantId,
    limit,
  );
}

/** Removes labels of what is gone, of the oldest ones: messages go in the order in which they came. */
export const pruneProjectLabels: Prune = async (tx, { limit }): Promise<Bite> => {
  const removed = await tx.run(
    `DELETE FROM project_labels WHERE label_id IN (
       SELECT l.label_id FROM (SELECT * FROM project_labels WHERE label_id > 0 ORDER BY label_id LIMIT $1) l
        WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_id = l.message_id)
          AND NOT EXISTS (SELECT 1 FROM tts_batches b WHERE b.batch_id = l.batch_id))`,
    limit,
  );
  return { removed, earliest: undefined };
};
