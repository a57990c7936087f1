import { BulkConsentResource, type Rows, type V1MerchantConsentRequest } from "@msgctl/sdk";
import type { OperationRecord } from "../model/record.ts";
import type { BulkJob } from "./bulk-job.ts";

/** One answer of a recipient a row; the record has given the rows their shape. */
export function consentJob(record: OperationRecord): BulkJob {
  return {
    words: "consent import",
    record,
    options: [],
    noun: "consents",
    start: (client, rows, options) => {
      const consents = rows as Rows<object> as Rows<V1MerchantConsentRequest>;
      return new BulkConsentResource(client).recordMany(consents, options);
    },
  };
}
