import type { Migration } from "../dialect.ts";

/** Lists are read in the order of an index, and calls by several filters without reading each batch. */
export const listIndexes: Migration = {
  version: 15,
  name: "list-indexes",
  statements: () => [
    "CREATE INDEX alerts_tenant ON alerts (tenant_id, alert_id)",
    "CREATE INDEX alerts_merchant ON alerts (tenant_id, merchant_id, alert_id)",

    // each has the columns that the other filters ask about, after the order in which it is read
    "DROP INDEX tts_batches_merchant",
    "DROP INDEX tts_batches_label",
    "DROP INDEX tts_batches_source",
    "DROP INDEX tts_batches_use_case",
    `CREATE INDEX tts_batches_merchant
       ON tts_batches (tenant_id, merchant_id, batch_id, tenant_label, source_system, use_case_key)`,
    `CREATE INDEX tts_batches_label
       ON tts_batches (tenant_id, tenant_label, batch_id, merchant_id, source_system, use_case_key)`,
    `CREATE INDEX tts_batches_source
       ON tts_batches (tenant_id, source_system, batch_id, merchant_id, tenant_label, use_case_key)`,
    `CREATE INDEX tts_batches_use_case
       ON tts_batches (tenant_id, use_case_key, batch_id, merchant_id, tenant_label, source_system)`,
  ],
};
