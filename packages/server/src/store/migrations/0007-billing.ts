import type { Migration } from "../dialect.ts";

/** Payments for more units, a tenant's daily totals, and how far old rows were searched. */
export const billing: Migration = {
  version: 7,
  name: "billing",
  statements: ({ int64, keyedTableOptions }) => [
    `CREATE TABLE payments (
       payment_id TEXT PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       units ${int64} NOT NULL CHECK (units > 0),
       amount_cents ${int64} NOT NULL CHECK (amount_cents > 0),
       currency TEXT NOT NULL,
       payment_method TEXT,
       note TEXT,
       reference_id TEXT,
       status TEXT NOT NULL,
       failure_reason TEXT,
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,

    // what was charged for messages accepted on the day, which is the tenant's own: reports add these up and never
    // scan the messages
    `CREATE TABLE daily_totals (
       tenant_id ${int64} NOT NULL,
       day TEXT NOT NULL,
       channel TEXT NOT NULL,
       units ${int64} NOT NULL,
       provider_cost_micros ${int64} NOT NULL,
       markup_micros ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, day, channel)
     ) ${keyedTableOptions}`,

    // where the walk through a table that is pruned stands: JSON of a primary key, or null for its beginning
    `CREATE TABLE pruning (
       pruned_table TEXT PRIMARY KEY,
       position TEXT
     ) ${keyedTableOptions}`,
  ],
};
