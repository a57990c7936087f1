import type { Migration } from "../dialect.ts";

/** Confirmations of replies by when they were sent: their ids go behind the message that was replied to. */
export const searchOrder: Migration = {
  version: 27,
  name: "search-order",
  statements: () => [],
  indexes: [{ name: "messages_confirming", on: "messages (created_at, message_id) WHERE purpose = 'CONFIRMATION'" }],
};
