/** The calls of a run: each outcome is in the journal before it is told. */
import { AbortedError, type BulkOutcome, CoreClient, type Fetch } from "@msgctl/sdk";
import type { Access } from "../call/access/access.ts";
import { failureOf } from "../call/call-failure.ts";
import { nodeTransport } from "../call/node-transport.ts";
import type { CliError } from "../failures/errors.ts";
import { fieldOf } from "../output/fields.ts";
import type { BulkJob, RowBody } from "./bulk-job.ts";
import { endingOf } from "./call-ending.ts";
import type { Journal } from "./journal/journal.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";

export interface RowCalls {
  job: BulkJob;
  list: CheckedList;
  journal: Journal;
  isWanted(index: number): boolean;
  access: Access;
  /** What the key of every row begins with. */
  keyPrefix: string;
  concurrency: number;
  /** Bound of each row's call, its repetitions included. */
  timeoutMs: number;
  retries: number | undefined;
  signal: AbortSignal;
  /** Sends the requests, in place of node:http. */
  transport?: Fetch | undefined;
  tell(outcome: RowOutcome): void;
}

export type RowOutcome = ListRow & { idempotencyKey: string | undefined } & (
    | { ok: true; replayed: boolean; data: object }
    | { ok: false; isOpen: boolean; error: CliError }
  );

const KEY_DIGITS = 9;

/** Whose quota, and whose state, decides about a row. */
const MERCHANT_FIELD = "merchantId";

/** So many merchants are remembered for whom no row can be done; those of others are asked for and refused. */
const MOST_MERCHANTS = 10_000;

/** So many rows in a row without an answer are the service's trouble, not the rows'. */
const mostUnanswered = (concurrency: number) => Math.max(20, 2 * concurrency);

/**
 * Calls for every row that is wanted, but for those that would be refused for what others were: then none is begun any
 * more, of a merchant or at all, and those under way are waited for.
 *
 * @throws {CliError} What ended the run before its rows did: the user, the credential, a service that does not answer,
 * a file that was changed.
 */
export async function callRows(calls: RowCalls): Promise<void> {
  const { job, list, journal, isWanted, access, keyPrefix, concurrency, timeoutMs, retries, signal, tell } = calls;
  const { baseUrl, apiKey, apiSecret } = access;
  const client = new CoreClient({ baseUrl, apiKey, apiSecret, fetch: calls.transport ?? nodeTransport });
  const held = new WeakMap<RowBody, ListRow>();
  const rowOf = (body: RowBody) => held.get(body) ?? { index: -1, line: 0, body };
  const merchantOf = ({ body }: ListRow) => fieldOf(body, MERCHANT_FIELD);

  const isOneMerchant = list.isOfAll(MERCHANT_FIELD);
  const withoutHope = new Set<unknown>();
  let end: CliError | undefined;

  async function* open(): AsyncGenerator<RowBody, void, undefined> {
    for await (const row of list.rows(isWanted)) {
      const isLost = withoutHope.has(merchantOf(row));
      if (end !== undefined || (isLost && isOneMerchant)) return;
      if (isLost) continue;
      held.set(row.body, row);
      yield row.body;
    }
  }

  const run = job.start(client, open(), {
    ...{ concurrency, signal, maxRetries: retries, exactIntegers: true },
    ...{ timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: timeoutMs },
    // Not the place in this run: a later one leaves out what is done.
    idempotencyKey: (body) => `${keyPrefix}-${String(rowOf(body).index).padStart(KEY_DIGITS, "0")}`,
  });
  let unanswered = 0;
  try {
    for await (const outcome of run) {
      const isAnswered = take(outcome, rowOf(outcome.row));
      unanswered = isAnswered === false ? unanswered + 1 : 0;
    }
  } catch (error) {
    throw error instanceof AbortedError ? failureOf(error, job.record, access) : error;
  }

  if (end !== undefined) throw end;

  /** Whether the service judged the row; undefined where the user kept it from it. */
  function take(outcome: BulkOutcome<RowBody, object>, row: ListRow): boolean | undefined {
    const { idempotencyKey } = outcome;
    const { index } = row;
    if (outcome.ok) {
      const { data } = outcome;
      journal.done(index, "messageId" in data ? String(data.messageId) : undefined);
      tell({ ...row, idempotencyKey, ok: true, replayed: outcome.meta.replayed, data });
      return true;
    }
    const ending = endingOf(outcome.error, isOneMerchant);
    if (ending === "stopped") return undefined;
    const error = failureOf(outcome.error, job.record, access);
    if (ending === "refused") journal.failed(index, { code: error.code, message: messageOf(error) });
    tell({ ...row, idempotencyKey, ok: false, isOpen: ending !== "refused", error });
    if (ending === "merchant" && withoutHope.size < MOST_MERCHANTS) withoutHope.add(merchantOf(row));
    const isTooMuch = ending === "open" && unanswered + 1 >= mostUnanswered(concurrency);
    if (ending === "all" || isTooMuch) end ??= error;
    return ending !== "open";
  }
}

/** With the fields that were refused, since a file has one column for it all. */
export function messageOf({ message, details }: CliError): string {
  const faults = (details.faults ?? []).map(({ where, message }) => `${where}: ${message}`);
  return [message, ...faults].join("; ");
}
