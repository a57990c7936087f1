import type { Migration } from "../dialect.ts";

/** The timeline of a PostgreSQL that instances agreed on, and the one that they look at: see dispatch/messages/history-watch.ts. */
export const timelines: Migration = {
  version: 44,
  name: "timelines",
  statements: ({ text, int64 }) => [
    `ALTER TABLE lineage ADD COLUMN timeline ${text}`,
    `ALTER TABLE lineage ADD COLUMN next_timeline ${text}`,
    `ALTER TABLE lineage ADD COLUMN next_timeline_at ${int64}`,
  ],
};
