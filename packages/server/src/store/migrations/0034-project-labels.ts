import type { Migration } from "../dialect.ts";

/** Under which labels messages and batches of calls were accepted by a server in development. */
export const projectLabels: Migration = {
  version: 34,
  name: "project-labels",
  statements: ({ text, int64, identity, tableOptions }) => [
    `CREATE TABLE project_labels (
       label_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       project ${text} NOT NULL,
       labelled_at ${int64} NOT NULL,
       message_id ${text} UNIQUE,
       batch_id ${int64} UNIQUE
     ) ${tableOptions}`,
    "CREATE INDEX project_labels_seen ON project_labels (tenant_id, project, labelled_at)",
  ],
};
