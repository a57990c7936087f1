import type { Dialect } from "../dialect.ts";

/** See counters/postgres.ts. */
const countersOf = ({ engine }: Dialect) =>
  engine === "sqlite"
    ? { columns: "", key: "" }
    : { columns: "turn bigint NOT NULL DEFAULT 0, changes bigint NOT NULL DEFAULT 0, ", key: ", turn" };

/** What merchants may send, have sent and paid for. */
export function billingTables(dialect: Dialect): string[] {
  const { text, int64, identity, tableOptions, keyedTableOptions } = dialect;
  const counters = countersOf(dialect);
  return [
    // granted_credits are those that the tenant granted, less those taken away. With those paid for and those used they give what
    // must be left
    `CREATE TABLE quotas (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       monthly_limit ${int64} NOT NULL CHECK (monthly_limit >= 0),
       credits ${int64} NOT NULL CHECK (credits >= 0),
       granted_credits ${int64} NOT NULL DEFAULT 0,
       PRIMARY KEY (tenant_id, merchant_id, channel),
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,

    // period is the first day of the month in the tenant's time zone; credit_units of used and reserved were paid by
    // the credits
    `CREATE TABLE usage (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       period ${text} NOT NULL,
       used ${int64} NOT NULL CHECK (used >= 0),
       reserved ${int64} NOT NULL CHECK (reserved >= 0),
       credit_units ${int64} NOT NULL DEFAULT 0 CHECK (credit_units >= 0),
       ${counters.columns}PRIMARY KEY (tenant_id, merchant_id, channel, period${counters.key})
     ) ${keyedTableOptions}`,

    // reports add up these charges of messages accepted on a day of the tenant's time zone, and never scan the messages
    `CREATE TABLE daily_totals (
       tenant_id ${int64} NOT NULL,
       day ${text} NOT NULL,
       channel ${text} NOT NULL,
       units ${int64} NOT NULL,
       provider_cost_micros ${int64} NOT NULL,
       markup_micros ${int64} NOT NULL,
       ${counters.columns}PRIMARY KEY (tenant_id, day, channel${counters.key})
     ) ${keyedTableOptions}`,

    // begun_at is when the payment was, or may have been, handed to its processor. settled_by is the operator who settled it, and
    // settled_reference what they said of it
    `CREATE TABLE payments (
       payment_id ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       units ${int64} NOT NULL CHECK (units > 0),
       amount_cents ${int64} NOT NULL CHECK (amount_cents > 0),
       currency ${text} NOT NULL,
       payment_method ${text},
       note ${text},
       reference_id ${text},
       status ${text} NOT NULL,
       failure_reason ${text},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       begun_at ${int64},
       settled_reference ${text},
       settled_by ${text},
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,
    "CREATE INDEX payments_waiting ON payments (tenant_id, created_at) WHERE status = 'PENDING' AND begun_at IS NULL",

    // occurrence names what the alert is raised once for: for a usage threshold, `period:percent`; for a failing provider,
    // the message that it failed last
    `CREATE TABLE alerts (
       alert_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       alert_type ${text} NOT NULL,
       severity ${text} NOT NULL,
       message ${text} NOT NULL,
       threshold_percent ${int64},
       occurrence ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       UNIQUE (tenant_id, merchant_id, channel, alert_type, occurrence)
     ) ${tableOptions}`,
    "CREATE INDEX alerts_tenant ON alerts (tenant_id, alert_id)",
    "CREATE INDEX alerts_merchant ON alerts (tenant_id, merchant_id, alert_id)",
  ];
}
