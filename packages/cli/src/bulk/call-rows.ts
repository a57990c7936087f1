/** Makes the calls of a run. Each outcome is recorded in the journal before it is reported. */
import { AbortedError, type BulkOutcome, CoreClient, type Fetch } from "@msgctl/sdk";
import type { Access } from "../call/access/access.ts";
import { toRowError } from "../call/call-failure.ts";
import { nodeTransport } from "../call/node-transport.ts";
import type { CliError } from "../failures/errors.ts";
import { readField } from "../output/fields.ts";
import type { RowOutcome } from "./bulk-event.ts";
import type { BulkJob } from "./bulk-job.ts";
import { judgeEnding } from "./call-ending.ts";
import { type Journal, listTakenOver } from "./journal/journal.ts";
import type { RowFailure } from "./journal/journal-lines.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";
import type { RowBody } from "./list/row-kind.ts";

export interface RowCalls {
  job: BulkJob;
  list: CheckedList;
  journal: Journal;
  isWanted(row: ListRow): boolean;
  /** Keyed digest of a row's recipient. */
  recipientOf(row: ListRow): string | undefined;
  access: Access;
  concurrency: number;
  /** Limit for each row's call, including retries. */
  timeoutMs: number;
  retries: number | undefined;
  signal: AbortSignal;
  /** Replaces the node:http transport. */
  transport?: Fetch | undefined;
  onOutcome(outcome: RowOutcome): void;
}

/** The field that names the merchant. A row fails if its merchant has no quota left or is inactive. */
const MERCHANT_FIELD = "merchantId";

/** Maximum number of failing merchants to remember. Rows of further failing merchants are still sent, and refused. */
const MOST_MERCHANTS = 10_000;

/** If this many consecutive rows get no answer, the service is at fault, not the rows. */
const mostUnanswered = (concurrency: number) => Math.max(20, 2 * concurrency);

/**
 * Makes a call for every wanted row. If later rows would fail with the same error, starts no more calls, either for one
 * merchant or at all, and waits for the calls in flight.
 *
 * @throws {CliError} If the run ends early: the user interrupted it, the credential was refused, the service does not
 * answer, the file was changed, or another run has taken over the list.
 */
export async function callRows(calls: RowCalls): Promise<void> {
  const { job, list, journal, isWanted, recipientOf, access, concurrency, timeoutMs, retries, signal, onOutcome } =
    calls;
  const keyPrefix = journal.run?.keyPrefix ?? "";
  const { baseUrl, apiKey, apiSecret } = access;
  const { lock } = journal;
  const send = calls.transport ?? nodeTransport(access.proxy);
  const sendIfHeld: Fetch = (...request) => {
    // If another run has taken the list over, `renew` also aborts `lock.lost`, which ends this run.
    if (!lock.renew()) throw lock.lost.reason;
    return send(...request);
  };
  const client = new CoreClient({ baseUrl, apiKey, apiSecret, fetch: sendIfHeld });
  const rows = new WeakMap<RowBody, ListRow>();
  const findRow = (body: RowBody) => rows.get(body) ?? { index: -1, line: 0, id: "", body };
  const findMerchant = ({ body }: ListRow) => readField(body, MERCHANT_FIELD);

  const isOneMerchant = list.isOfAll(MERCHANT_FIELD);
  const hopelessMerchants = new Set<unknown>();
  let end: CliError | undefined;

  async function* takeRows(): AsyncGenerator<RowBody, void, undefined> {
    for await (const row of list.rows(isWanted)) {
      const isHopeless = hopelessMerchants.has(findMerchant(row));
      if (end !== undefined || (isHopeless && isOneMerchant)) return;
      if (isHopeless) continue;
      journal.rowBegins(row.id, recipientOf(row));
      rows.set(row.body, row);
      yield row.body;
    }
  }

  const run = job.start(client, takeRows(), {
    ...{ concurrency, maxRetries: retries, exactIntegers: true },
    signal: AbortSignal.any([signal, lock.lost]),
    ...{ timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: timeoutMs },
    idempotencyKey: (body) => `${keyPrefix}-${findRow(body).id}`,
  });
  let unanswered = 0;
  try {
    for await (const outcome of run) {
      const isAnswered = settle(outcome, findRow(outcome.row));
      unanswered = isAnswered === false ? unanswered + 1 : 0;
    }
  } catch (error) {
    if (error instanceof AbortedError && lock.lost.aborted) throw listTakenOver();
    throw error instanceof AbortedError ? toRowError(error, job.record, access) : error;
  }

  if (end !== undefined) throw end;

  /** Whether the service judged the row; undefined if the user stopped the call. */
  function settle(outcome: BulkOutcome<RowBody, object>, row: ListRow): boolean | undefined {
    const { idempotencyKey } = outcome;
    if (outcome.ok) {
      const { data } = outcome;
      journal.done(row.id, "messageId" in data ? String(data.messageId) : undefined);
      onOutcome({ ...row, idempotencyKey, type: "row-done", replayed: outcome.meta.replayed, data });
      return true;
    }
    const ending = judgeEnding(outcome.error, isOneMerchant);
    if (ending === "stopped") return undefined;
    const error = toRowError(outcome.error, job.record, access);
    const isRefused = ending === "refused";
    if (isRefused) journal.failed(row.id, toRowFailure(error));
    onOutcome({ ...row, idempotencyKey, type: isRefused ? "row-refused" : "row-left-open", error });
    if (ending === "merchant" && hopelessMerchants.size < MOST_MERCHANTS) hopelessMerchants.add(findMerchant(row));
    const isTooMuch = ending === "open" && unanswered + 1 >= mostUnanswered(concurrency);
    if (ending === "all" || isTooMuch) end ??= error;
    return ending !== "open";
  }
}

/** Joins the messages of refused fields, if there are any: the file of failed rows has one column for the message. */
export function toRowFailure({ code, message, details }: CliError): RowFailure {
  const faults = (details.faults ?? []).map(({ where, message }) => `${where.replace(/^--/, "")}: ${message}`);
  return { code, message: faults.length > 0 ? faults.join("; ") : message };
}
