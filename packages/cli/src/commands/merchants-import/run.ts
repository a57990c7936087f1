import {
  AbortedError,
  type BulkOptions,
  type BulkOutcome,
  type CoreClient,
  MerchantsResource,
  type V1MerchantUpsertRequest,
} from "@msgctl/sdk";
import type { BulkJob } from "../../bulk/bulk-job.ts";
import type { RowBody } from "../../bulk/list/row-kind.ts";
import { runBulk } from "../../bulk/run-bulk.ts";
import type { CommandRun } from "../../model/catalog.ts";
import type { OperationRecord } from "../../model/record.ts";
import { readField } from "../../output/fields.ts";
import { reviewChanges } from "./review-changes.ts";

export const runMerchantsImport: CommandRun = async (line, io, context) => {
  const record = await context.catalog.record("upsertMerchant");
  const setsBalances = line.flags.setBalances === true;
  await runBulk(createMerchantJob(record, setsBalances), line, io, context);
};

/** The job: each row creates or changes one merchant. The rows are checked against `record` before they are sent. */
function createMerchantJob(record: OperationRecord, setsBalances: boolean): BulkJob {
  return {
    words: "merchants import",
    record,
    options: setsBalances ? ["--set-balances"] : [],
    noun: "merchants",
    verb: "imported",
    recipientField: undefined,
    subject: { noun: "merchant", of: (body) => String(readField(body, "merchantId")) },
    describeRow: (body) => `${readField(body, "merchantId")}: ${JSON.stringify(readField(body, "displayName"))}`,
    check: (fields) => (setsBalances ? [] : fields.filter((field) => /Credits$/.test(field)).map(refuseBalance)),
    review: reviewChanges,
    start: upsertEach,
  };
}

function refuseBalance(field: string) {
  const message =
    "is a balance: importing the list again would restore used credits; ignore the column with --map, or give --set-balances";
  return { where: field, message };
}

/** Sends rows one after the other, so that the last row of a merchant wins. Lists of merchants are short. */
async function* upsertEach(
  client: CoreClient,
  rows: AsyncIterable<RowBody>,
  options: BulkOptions<RowBody, true>,
): AsyncGenerator<BulkOutcome<RowBody, object>, void, undefined> {
  const { concurrency: _one, keyPrefix: _ownKeys, idempotencyKey: keyOf, ...bounds } = options;
  const merchants = new MerchantsResource(client);
  let index = -1;
  for await (const row of rows) {
    index += 1;
    if (bounds.signal?.aborted) throw new AbortedError("The run was stopped.", {}, bounds.signal.reason);
    const idempotencyKey = keyOf?.(row, index) ?? "";
    const outcome = await merchants.upsert(row as V1MerchantUpsertRequest, { ...bounds, idempotencyKey }).safe();
    yield { index, row, idempotencyKey, ...outcome };
  }
}
