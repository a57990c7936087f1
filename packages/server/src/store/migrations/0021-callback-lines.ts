import type { Migration } from "../dialect.ts";

/** A port at the end of a host, as an IPv6 address is in brackets. */
const withoutPort = `CASE WHEN rtrim(receiver, '0123456789') LIKE '%:'
                          THEN rtrim(rtrim(receiver, '0123456789'), ':') ELSE receiver END`;
/** Callbacks from before they were given an end are tried for as long from their next attempt. */
const pending = "WHERE status = 'PENDING'";

/** Lines by tenant and receiver with turns of the tenants, in place of one line for each host and port. */
export const callbackLines: Migration = {
  version: 21,
  name: "callback-lines",
  statements: ({ int64, tableOptions, keyedTableOptions }) => [
    "DROP INDEX callbacks_due",
    "DROP INDEX callbacks_leased",
    "DROP INDEX callbacks_of_call",
    "DROP TABLE callback_hosts",
    "ALTER TABLE callbacks RENAME COLUMN host TO receiver",
    // 0 for one that is queued, else when it is retried
    `ALTER TABLE callbacks ADD COLUMN waits_until ${int64} NOT NULL DEFAULT 0`,
    `ALTER TABLE callbacks ADD COLUMN patience_from ${int64} NOT NULL DEFAULT 0`,
    // an attempt that was in flight is made again, and one without a call is a call's only one
    `UPDATE callbacks SET waits_until = CASE WHEN attempts = 0 OR lease_token IS NOT NULL THEN 0 ELSE next_attempt_at END,
            patience_from = next_attempt_at, request_id = COALESCE(request_id, -callback_id), receiver = ${withoutPort}
      ${pending}`,
    "ALTER TABLE callbacks DROP COLUMN lease_token",
    "CREATE INDEX callbacks_in_order ON callbacks (request_id, waits_until, callback_id) WHERE status = 'PENDING'",

    // a call with pending callbacks; due when its lease expires while one of its callbacks is in flight
    `CREATE TABLE callback_calls (
       request_id ${int64} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       receiver TEXT NOT NULL,
       url TEXT NOT NULL,
       due_at ${int64} NOT NULL,
       lease_token TEXT
     ) ${tableOptions}`,
    `INSERT INTO callback_calls (request_id, tenant_id, receiver, url, due_at)
       SELECT request_id, MIN(tenant_id), MIN(receiver), MIN(url), MIN(next_attempt_at) FROM callbacks ${pending}
        GROUP BY request_id`,
    "CREATE INDEX callback_calls_due ON callback_calls (tenant_id, receiver, due_at)",
    "CREATE INDEX callback_calls_by_url ON callback_calls (tenant_id, url, request_id)",
    "CREATE INDEX callback_calls_leased ON callback_calls (request_id) WHERE lease_token IS NOT NULL",

    // held while its receiver rests or has its most attempts in flight; waits_since: for another tenant's to end
    `CREATE TABLE callback_lines (
       tenant_id ${int64} NOT NULL,
       receiver TEXT NOT NULL,
       due_at ${int64} NOT NULL,
       held_until ${int64} NOT NULL,
       rests INTEGER NOT NULL,
       waits_since ${int64},
       PRIMARY KEY (tenant_id, receiver)
     ) ${keyedTableOptions}`,
    `INSERT INTO callback_lines (tenant_id, receiver, due_at, held_until, rests)
       SELECT tenant_id, receiver, MIN(due_at), 0, 0 FROM callback_calls GROUP BY tenant_id, receiver`,
    "CREATE INDEX callback_lines_due ON callback_lines (tenant_id, due_at)",
    "CREATE INDEX callback_lines_waiting ON callback_lines (receiver, waits_since) WHERE waits_since IS NOT NULL",

    `CREATE TABLE callback_turns (
       tenant_id ${int64} PRIMARY KEY,
       due_at ${int64} NOT NULL,
       held_until ${int64} NOT NULL
     ) ${tableOptions}`,
    `INSERT INTO callback_turns (tenant_id, due_at, held_until)
       SELECT tenant_id, MIN(due_at), 0 FROM callback_lines GROUP BY tenant_id`,
    "CREATE INDEX callback_turns_due ON callback_turns (due_at)",

    // URLs that a receiver answered with 410: for calls up to the newest at that time
    `CREATE TABLE callback_gone_urls (
       tenant_id ${int64} NOT NULL,
       url TEXT NOT NULL,
       through_request_id ${int64} NOT NULL,
       gone_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, url)
     ) ${keyedTableOptions}`,
    "CREATE INDEX callback_gone_urls_over ON callback_gone_urls (gone_at)",
  ],
};
