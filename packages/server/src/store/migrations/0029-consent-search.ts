import type { Migration } from "../dialect.ts";

/** What a contact has decided, for all of a tenant's merchants: by its history, which has a row for each decision. */
export const consentSearch: Migration = {
  version: 29,
  name: "consent-search",
  statements: () => [],
  indexes: [{ name: "consent_history_of_contact", on: "consent_history (tenant_id, contact, change_id)" }],
};
