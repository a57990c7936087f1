import type { Migration } from "../dialect.ts";

/** Whose speech is made, so that tenants take turns. What was requested before is of nobody, which counts as one. */
export const speechTurns: Migration = {
  version: 42,
  name: "speech-turns",
  statements: ({ int64 }) => [`ALTER TABLE speech_assets ADD COLUMN tenant_id ${int64} NOT NULL DEFAULT 0`],
  indexes: [{ name: "speech_assets_turns", on: "speech_assets (tenant_id, due_at) WHERE status = 'PENDING'" }],
};
