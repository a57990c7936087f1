import type { Migration } from "../dialect.ts";

/** Keeps the time zone that the caller gave for a batch's recipients: a call that begins late respects it too. */
export const customerTimezones: Migration = {
  version: 20,
  name: "customer-timezones",
  statements: () => ["ALTER TABLE tts_batches ADD COLUMN customer_timezone TEXT"],
};
