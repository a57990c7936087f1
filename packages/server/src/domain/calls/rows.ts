// Stores calls that speak a text. A call is read together with the columns of its batch.

import type { Schemas } from "@msgctl/contract";
import { listParameters } from "../../store/batching.ts";
import { drawId, newIdSql } from "../../store/statement.ts";
import { findValue, listValues, type Query, type SqlValue, type Transaction } from "../../store/store.ts";
import type { BatchTerms } from "./batch-rows.ts";

/** The fields of a call that change. Times are epoch milliseconds, costs micro-USD. */
export interface CallState {
  readonly status: Schemas["TtsCallStatus"];
  readonly callStatus: Schemas["CallStatus"];
  readonly playbackStatus: Schemas["PlaybackStatus"];
  readonly finalStatus: Schemas["FinalStatus"];
  readonly billingState: Schemas["BillingState"];
  readonly cacheStatus: Schemas["TtsCacheStatus"];
  readonly policyReason: string | null;
  readonly scheduledAt: number | null;
  /** Quota units reserved by the call itself, until its message takes them over. */
  readonly reservedUnits: number;
  readonly creditUnits: number;
  readonly messageId: string | null;
  readonly assetId: number | null;
  readonly providerCallId: string | null;
  readonly executedAt: number | null;
  readonly spokenAt: number | null;
  readonly completedAt: number | null;
  readonly durationSeconds: number | null;
  readonly deliveryReason: string | null;
  readonly error: string | null;
  readonly speechCharacters: number | null;
  readonly speechBaseMicros: number | null;
  readonly speechMarkupMicros: number | null;
  readonly callMinutes: number | null;
  readonly callBaseMicros: number | null;
  readonly callMarkupMicros: number | null;
}

/** A call with the columns of its batch. */
export interface CallRow extends CallState, Omit<BatchTerms, "messageText" | "isRecorded" | "ringSeconds"> {
  readonly requestId: number;
  readonly batchId: number;
  readonly toNumber: string;
  /** IANA time zone of the quiet hours; null if the call may ring at any hour. */
  readonly executionTimezone: string | null;
  /** The month in which its minutes were reserved. */
  readonly period: string;
  readonly updatedAt: number;
  readonly createdAt: number;
  readonly characters: number;
  readonly estimatedSpeechMicros: number;
  readonly estimatedCallMicros: number;
  /** The speech engine; null until one is chosen. */
  readonly speechProvider: string | null;
  readonly speechModel: string | null;
  /** How often it was submitted to the carrier. */
  readonly attempts: number;
  readonly carrier: string | null;
}

const stateColumns: readonly (readonly [column: string, member: keyof CallState])[] = [
  ["status", "status"],
  ["call_status", "callStatus"],
  ["playback_status", "playbackStatus"],
  ["final_status", "finalStatus"],
  ["billing_state", "billingState"],
  ["cache_status", "cacheStatus"],
  ["policy_reason", "policyReason"],
  ["scheduled_at", "scheduledAt"],
  ["reserved_units", "reservedUnits"],
  ["credit_units", "creditUnits"],
  ["message_id", "messageId"],
  ["asset_id", "assetId"],
  ["provider_call_id", "providerCallId"],
  ["executed_at", "executedAt"],
  ["spoken_at", "spokenAt"],
  ["completed_at", "completedAt"],
  ["duration_seconds", "durationSeconds"],
  ["delivery_reason", "deliveryReason"],
  ["error", "error"],
  ["speech_characters", "speechCharacters"],
  ["speech_base_micros", "speechBaseMicros"],
  ["speech_markup_micros", "speechMarkupMicros"],
  ["call_minutes", "callMinutes"],
  ["call_base_micros", "callBaseMicros"],
  ["call_markup_micros", "callMarkupMicros"],
];

const select = `
  SELECT c.request_id AS "requestId", c.batch_id AS "batchId", c.to_number AS "toNumber",
         c.execution_timezone AS "executionTimezone", c.period,
         c.updated_at AS "updatedAt", ${stateColumns.map(([column, member]) => `c.${column} AS "${member}"`).join(", ")},
         b.created_at AS "createdAt", b.tenant_id AS "tenantId", b.merchant_id AS "merchantId",
         b.platform_account_id AS "platformAccountId", b.tenant_label AS "tenantLabel",
         b.source_system AS "sourceSystem", b.use_case AS "useCase", b.campaign_id AS "campaignId",
         b.campaign_name AS "campaignName", b.message_type AS "messageType", b.language,
         b.voice_profile AS "voiceProfile", b.priority, b.callback_url AS "callbackUrl",
         b.customer_timezone AS "customerTimezone", b.characters,
         b.estimated_speech_micros AS "estimatedSpeechMicros", b.estimated_call_micros AS "estimatedCallMicros",
         s.provider AS "speechProvider", s.model AS "speechModel",
         COALESCE(m.attempts, 0) AS attempts, m.provider AS carrier`;

const joins = `
    LEFT JOIN speech_assets s ON s.asset_id = c.asset_id
    LEFT JOIN messages m ON m.message_id = c.message_id`;

/** Selects calls of accepted batches only. */
const fromCall = `${select}
    FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id AND b.is_accepted = 1 ${joins}`;

/** A new call, accepted or refused. */
export interface NewCall {
  readonly toNumber: string;
  readonly status: "QUEUED" | "SCHEDULED" | "REJECTED";
  readonly policyReason: string | null;
  readonly executionTimezone: string | null;
  readonly scheduledAt: number | null;
  readonly reservedUnits: number;
  readonly creditUnits: number;
}

/** Rows per INSERT. More rows are hardly faster, and each number of rows needs its own prepared statement. */
const ROWS_A_STATEMENT = 50;
/** Number of values that differ between the rows of one insertion. */
const OWN_VALUES = 14;

const insertManyStatement = insertStatement(ROWS_A_STATEMENT);
const insertOneStatement = insertStatement(1);
const insertFirstStatement = `${insertStatement(1, (drawn) => newIdSql("tts_calls", "request_id", drawn))}
    RETURNING request_id AS "requestId"`;

function insertStatement(rows: number, idOf = (given: string) => given): string {
  const row = (index: number) => {
    const [id = "", ...own] = Array.from({ length: OWN_VALUES }, (_, value) => `$${4 + index * OWN_VALUES + value}`);
    const outcome = own.at(-1);
    return `($1, $2, $3, 'NOT_STARTED', 'PENDING', ${idOf(id)}, ${own.join(", ")}, ${Array(6).fill(outcome).join(", ")})`;
  };
  return `INSERT INTO tts_calls (batch_id, period, updated_at, playback_status, cache_status, request_id, to_number,
      status, call_status, final_status, billing_state, policy_reason, execution_timezone, scheduled_at, reserved_units,
      credit_units, message_id, completed_at, duration_seconds, speech_characters, speech_base_micros,
      speech_markup_micros, call_minutes, call_base_micros, call_markup_micros)
    VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join(", ")}`;
}

/** Adds calls in order. A refused call has ended, at no cost. `messageId` is the message of a single call. */
export async function insertCalls(
  tx: Transaction,
  batch: { batchId: number; period: string; messageId: string | null; now: number },
  calls: readonly NewCall[],
): Promise<void> {
  const { batchId, period, messageId, now } = batch;
  const valuesOf = (call: NewCall, requestId: number): SqlValue[] => {
    const isRefused = call.status === "REJECTED";
    return [
      requestId,
      call.toNumber,
      call.status,
      isRefused ? "CANCELED" : "QUEUED",
      isRefused ? "FAILED" : call.status === "SCHEDULED" ? "SCHEDULED" : "PENDING",
      isRefused ? "FINALIZED" : "PROVISIONAL",
      call.policyReason,
      call.executionTimezone,
      call.scheduledAt,
      call.reservedUnits,
      call.creditUnits,
      messageId,
      isRefused ? now : null,
      // a refused call has 0 seconds, characters, minutes and costs; otherwise they are unknown
      isRefused ? 0 : null,
    ];
  };
  const [first, ...others] = calls;
  if (first === undefined) return;
  const firstValues = [batchId, period, now, ...valuesOf(first, drawId(tx.randomness, now))];
  const added = await tx.get<{ requestId: number }>(insertFirstStatement, ...firstValues);
  if (added === undefined) throw new Error("a call was added without an id");
  let lastId = added.requestId;
  const nextValues = (call: NewCall) => {
    lastId += 1;
    return valuesOf(call, lastId);
  };
  const whole = others.length - (others.length % ROWS_A_STATEMENT);
  for (let start = 0; start < whole; start += ROWS_A_STATEMENT) {
    const values = others.slice(start, start + ROWS_A_STATEMENT).flatMap(nextValues);
    await tx.run(insertManyStatement, batchId, period, now, ...values);
  }
  for (const call of others.slice(whole)) await tx.run(insertOneStatement, batchId, period, now, ...nextValues(call));
}

/** Removes up to `limit` calls of an abandoned batch, last ones first, and returns their states. */
export function removeCalls(tx: Transaction, batchId: number, limit: number): Promise<Pick<NewCall, "status">[]> {
  return tx.all<Pick<NewCall, "status">>(
    `DELETE FROM tts_calls WHERE request_id IN
       (SELECT request_id FROM tts_calls WHERE batch_id = $1 ORDER BY request_id DESC LIMIT $2)
     RETURNING status`,
    batchId,
    limit,
  );
}

/** Finds a call of any tenant. */
export function findCall(tx: Transaction, requestId: number): Promise<CallRow | undefined> {
  return tx.get<CallRow>(`${fromCall} WHERE c.request_id = $1`, requestId);
}

/** Finds the call, and locks it for update. */
export function lockCall(tx: Transaction, requestId: number): Promise<CallRow | undefined> {
  tx.lock("SELECT request_id FROM tts_calls WHERE request_id = $1 FOR UPDATE", requestId);
  return findCall(tx, requestId);
}

/** Finds the id of the call that is dialled as this message. */
export function findRequestOf(tx: Transaction, messageId: string): Promise<number | undefined> {
  return findValue<number>(tx, `SELECT request_id AS "requestId" FROM tts_calls WHERE message_id = $1`, messageId);
}

/** Finds the call that is dialled as this message. Locks it for update. */
export function findCallOfMessage(tx: Transaction, messageId: string): Promise<CallRow | undefined> {
  tx.lock("SELECT request_id FROM tts_calls WHERE message_id = $1 FOR UPDATE", messageId);
  return tx.get<CallRow>(`${fromCall} WHERE c.message_id = $1`, messageId);
}

/** When the calls of a batch start, in epoch milliseconds; null if none did or will. */
interface BatchTimes {
  readonly startedAt: number | null;
  readonly spokenAt: number | null;
  readonly nextStartAt: number | null;
  readonly lastStartAt: number | null;
}

/** Finds when the first call of a batch started and had its speech, and when the next and last scheduled calls start. */
export async function findBatchTimes(tx: Transaction, batchId: number): Promise<BatchTimes> {
  const scheduled = "FROM tts_calls WHERE batch_id = $1 AND status = 'SCHEDULED'";
  const row = await tx.get<BatchTimes>(
    `SELECT MIN(executed_at) AS "startedAt", MIN(spoken_at) AS "spokenAt",
            (SELECT MIN(scheduled_at) ${scheduled}) AS "nextStartAt", (SELECT MAX(scheduled_at) ${scheduled}) AS "lastStartAt"
       FROM tts_calls WHERE batch_id = $1`,
    batchId,
  );
  return row ?? { startedAt: null, spokenAt: null, nextStartAt: null, lastStartAt: null };
}

/** Finds the first call of a batch. */
export function findFirstCall(tx: Transaction, batchId: number): Promise<CallRow | undefined> {
  return tx.get<CallRow>(`${fromCall} WHERE c.batch_id = $1 ORDER BY c.request_id LIMIT 1`, batchId);
}

/** Up to this many calls of a batch can be filtered by outcome without the read counting as slow. */
const QUICKLY_WALKED = 1_000;

/** Lists the batch's calls in the order of its numbers, filtered by outcome if one is given. */
export function batchCallsQuery(
  { batchId, totalCalls }: { batchId: number; totalCalls: number },
  finalStatus: Schemas["FinalStatus"] | undefined,
): Query<CallRow> {
  return finalStatus === undefined
    ? { sql: `${fromCall} WHERE c.batch_id = $1 ORDER BY c.request_id LIMIT $2`, values: [batchId] }
    : {
        sql: `${fromCall} WHERE c.batch_id = $1 AND c.final_status = $2 ORDER BY c.request_id LIMIT $3`,
        values: [batchId, finalStatus],
        isWalk: totalCalls > QUICKLY_WALKED,
      };
}

/** Lists up to `limit` calls of a batch that wait to begin, from the one after `after`, in order. Locks them for update. */
export function listStartingCalls(
  tx: Transaction,
  slice: { batchId: number; scheduledAt: number | null; after: number; limit: number },
): Promise<CallRow[]> {
  const { batchId, scheduledAt, after, limit } = slice;
  const page = `AND c.request_id > $2 ORDER BY c.request_id LIMIT $3 FOR UPDATE OF c`;
  return scheduledAt === null
    ? tx.all<CallRow>(`${fromCall} WHERE c.batch_id = $1 AND c.status = 'QUEUED' ${page}`, batchId, after, limit)
    : tx.all<CallRow>(
        `${fromCall} WHERE c.batch_id = $1 AND c.status = 'SCHEDULED' AND c.scheduled_at = $4 ${page}`,
        batchId,
        after,
        limit,
        scheduledAt,
      );
}

/** Lists up to `limit` calls that wait for a speech, from the one after `after`, in order. Locks them for update. */
export function listWaitingCalls(
  tx: Transaction,
  { assetId, after, limit }: { assetId: number; after: number; limit: number },
): Promise<CallRow[]> {
  return tx.all<CallRow>(
    `${fromCall} WHERE c.asset_id = $1 AND c.status = 'SYNTHESIZING' AND c.request_id > $2
      ORDER BY c.request_id LIMIT $3 FOR UPDATE OF c`,
    assetId,
    after,
    limit,
  );
}

export interface CallFilter {
  readonly merchantId: string | undefined;
  readonly tenantLabel: string | undefined;
  readonly sourceSystem: string | undefined;
  /** As returned by `useCaseKey`. */
  readonly useCaseKey: string | undefined;
}

const filterColumns: readonly (readonly [column: string, member: keyof CallFilter])[] = [
  ["merchant_id", "merchantId"],
  ["tenant_label", "tenantLabel"],
  ["source_system", "sourceSystem"],
  ["use_case_key", "useCaseKey"],
];

/** Number of values for the tenant and one filter. An index finds the newest batches with these values directly. */
const FILTERS_WITH_INDEX = 2;

/** Lists a tenant's newest calls that match all given filters. */
export function newestCallsQuery(tenantId: number, filter: CallFilter, limit: number): Query<CallRow> {
  const values: SqlValue[] = [tenantId];
  let condition = "b.tenant_id = $1";
  for (const [column, member] of filterColumns) {
    const value = filter[member];
    if (value === undefined) continue;
    values.push(value);
    condition += ` AND b.${column} = $${values.length}`;
  }
  condition += " AND b.is_accepted = 1";
  // CROSS JOIN makes SQLite read batches first, the newest first: all filters and their indexes are on batches
  const sql = `${select} FROM tts_batches b CROSS JOIN tts_calls c ${joins}
      WHERE c.batch_id = b.batch_id AND ${condition}
      ORDER BY b.batch_id DESC, c.request_id DESC LIMIT $${values.length + 1}`;
  // With several filters, the query scans one filter's index, which contains the other columns. Few of its rows may match.
  return { sql, values, limit, isWalk: values.length > FILTERS_WITH_INDEX };
}

const saveStatement = `
  UPDATE tts_calls SET ${stateColumns.map(([column], index) => `${column} = $${index + 3}`).join(", ")}, updated_at = $2
   WHERE request_id = $1`;

/** Saves all fields of a call that can change. */
export async function saveCall(tx: Transaction, call: CallState & { requestId: number }, now: number): Promise<void> {
  const values = stateColumns.map(([, member]) => call[member]);
  await tx.run(saveStatement, call.requestId, now, ...values);
}

/** The data of a call that its carrier receives. */
export interface CallLeg {
  /** The engine's reference of the speech. */
  readonly speech: string;
  readonly language: string;
  readonly voice: string;
  readonly isRecorded: 0 | 1;
  readonly ringSeconds: number;
}

/** Lists messages of calls that these carriers accepted and whose end they have not reported, oldest first. */
export async function listCallsUnderWay(
  tx: Transaction,
  { providers, limit }: { providers: readonly string[]; limit: number },
): Promise<string[]> {
  if (providers.length === 0) return [];
  return listValues<string>(
    tx,
    `SELECT c.message_id AS "messageId"
       FROM tts_calls c JOIN messages m ON m.message_id = c.message_id
      WHERE c.call_status IN ('INITIATED', 'RINGING', 'IN_PROGRESS')
        AND m.provider IN (${listParameters(2, providers)})
      ORDER BY c.message_id LIMIT $1`,
    limit,
    ...providers,
  );
}

export function findCallLeg(tx: Transaction, messageId: string): Promise<CallLeg | undefined> {
  return tx.get<CallLeg>(
    `SELECT s.cache_key AS speech, s.language, s.voice, b.is_recorded AS "isRecorded", b.ring_seconds AS "ringSeconds"
       FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id JOIN speech_assets s ON s.asset_id = c.asset_id
      WHERE c.message_id = $1`,
    messageId,
  );
}

/** Job kind: a batch whose calls wait for a speech engine and a carrier. */
export const WAITING_CALLS = "calls.wait";
const isWaiting = `kind = '${WAITING_CALLS}'`;

/** Lists up to `limit` tenants with such jobs, in order, from the one after `after`. */
export async function listTenantsOfWaitingCalls(
  tx: Transaction,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const tenants: number[] = [];
  for (let last = after; tenants.length < limit; ) {
    const next = `SELECT MIN(tenant_id) AS "tenantId" FROM jobs WHERE ${isWaiting} AND tenant_id > $1`;
    const tenantId = await findValue<number>(tx, next, last);
    if (tenantId === undefined) break;
    last = tenantId;
    tenants.push(last);
  }
  return tenants;
}

/** Makes a tenant's waiting jobs due. Returns how many were not yet due. */
export function wakeCallsOf(tx: Transaction, tenantId: number, now: number): Promise<number> {
  return tx.run(`UPDATE jobs SET due_at = $2 WHERE ${isWaiting} AND tenant_id = $1 AND due_at > $2`, tenantId, now);
}

/** Lists the subjects of up to `limit` waiting jobs, of one tenant or of all. */
export function listWaitingJobs(
  tx: Transaction,
  tenantId: number | undefined,
  limit: number,
): Promise<{ subject: string }[]> {
  if (tenantId === undefined) {
    return tx.all(`SELECT subject FROM jobs WHERE ${isWaiting} ORDER BY tenant_id, job_id LIMIT $1`, limit);
  }
  const ofTenant = `SELECT subject FROM jobs WHERE ${isWaiting} AND tenant_id = $2 ORDER BY job_id LIMIT $1`;
  return tx.all(ofTenant, limit, tenantId);
}

/** Counts the batches' queued calls, up to `most`. `oldestAt` is the earliest acceptance, in epoch milliseconds. */
export async function countQueuedCalls(
  tx: Transaction,
  batchIds: readonly number[],
  most: number,
): Promise<{ waiting: number; oldestAt: number | null }> {
  if (batchIds.length === 0) return { waiting: 0, oldestAt: null };
  const row = await tx.get<{ waiting: number; oldestAt: number | null }>(
    `SELECT COUNT(*) AS waiting, MIN(accepted_at) AS "oldestAt" FROM
       (SELECT b.created_at AS accepted_at FROM tts_batches b JOIN tts_calls c ON c.batch_id = b.batch_id
         WHERE b.batch_id IN (${listParameters(2, batchIds)}) AND c.status = 'QUEUED'
         LIMIT $1) AS counted`,
    most,
    ...batchIds,
  );
  return row ?? { waiting: 0, oldestAt: null };
}
