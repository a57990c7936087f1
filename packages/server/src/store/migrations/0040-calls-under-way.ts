import type { Migration } from "../dialect.ts";

/** The calls that carriers are having, to learn of those that ended unnoticed. */
export const callsUnderWay: Migration = {
  version: 40,
  name: "calls-under-way",
  statements: () => [],
  indexes: [
    {
      name: "tts_calls_under_way",
      on: "tts_calls (message_id) WHERE call_status IN ('INITIATED', 'RINGING', 'IN_PROGRESS')",
    },
  ],
};
