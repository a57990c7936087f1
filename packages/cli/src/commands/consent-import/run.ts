import { BulkConsentResource, type Rows, type V1MerchantConsentRequest } from "@msgctl/sdk";
import type { BulkJob } from "../../bulk/bulk-job.ts";
import { runBulk } from "../../bulk/run-bulk.ts";
import type { CommandRun } from "../../model/catalog.ts";
import type { OperationRecord } from "../../model/record.ts";
import { readField } from "../../output/fields.ts";
import { nameConsent, reviewStops } from "./review-stops.ts";

export const runConsentImport: CommandRun = async (line, io, context) => {
  const record = await context.catalog.record("recordConsent");
  await runBulk(createConsentJob(record, line.flags.keepStops === true), line, io, context);
};

/** Creates a job that records the consent of one contact per row. The rows were checked against `record` before. */
function createConsentJob(record: OperationRecord, isStopKept: boolean): BulkJob {
  return {
    words: "consent import",
    record,
    options: isStopKept ? ["--keep-stops"] : [],
    noun: "consents",
    verb: "recorded",
    describeRow: (body) => `${readField(body, "contact")}: ${readField(body, "status")}`,
    recipientField: undefined,
    subject: { noun: "consent", of: nameConsent },
    review: (review) => reviewStops({ ...review, isStopKept }),
    start: (client, rows, options) => {
      const consents = rows as Rows<object> as Rows<V1MerchantConsentRequest>;
      return new BulkConsentResource(client).recordMany(consents, options);
    },
  };
}
