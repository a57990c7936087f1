import type { Migration } from "../dialect.ts";

/** What the dashboard lists and counts of a tenant: its callbacks, one by its webhook-id, and messages that ended UNKNOWN. */
export const tenantViews: Migration = {
  version: 33,
  name: "tenant-views",
  statements: ({ engine, int64 }) =>
    engine === "postgres"
      ? [
          // null where an instance of an earlier version adds a row meanwhile
          `ALTER TABLE unknown_messages ADD COLUMN tenant_id ${int64}`,
          `UPDATE unknown_messages
              SET tenant_id = (SELECT m.tenant_id FROM messages m WHERE m.message_id = unknown_messages.message_id)`,
          "CREATE INDEX unknown_messages_of_tenant ON unknown_messages (tenant_id)",
        ]
      : [
          "DROP INDEX messages_unknown",
          "CREATE INDEX messages_unknown ON messages (status, tenant_id) WHERE status = 'UNKNOWN'",
        ],
  indexes: [
    { name: "callbacks_of_tenant", on: "callbacks (tenant_id, status, (-callback_id))" },
    { name: "callbacks_of_webhook", on: "callbacks (webhook_id, tenant_id)" },
  ],
};
