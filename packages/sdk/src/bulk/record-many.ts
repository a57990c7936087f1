/** Answers of many recipients. */
import type { ReplyData } from "../exact-integers.ts";
import { ConsentResource } from "../generated/resources.ts";
import type { ConsentView, V1MerchantConsentRequest } from "../generated/types.ts";
import { type BulkOptions, type BulkRun, bulkRun } from "./bulk-run.ts";
import type { Rows } from "./run-bounded.ts";

/** What recipients agreed to, one or many. */
export class BulkConsentResource extends ConsentResource {
  /**
   * Records one opt-in or opt-out for each row, several at a time, and gives each outcome as it comes. Keys, bounds and
   * errors are as with `client.send.many`. Rows are not done in their order: give the last answer of a contact alone,
   * or a `concurrency` of 1.
   *
   * @param rows - What `client.consent.record` takes, from anything that can be iterated.
   * @param options - Concurrency, keys, signal; time bounds, retries and headers of each call.
   * @throws {UsageError} At once, for options out of their range; from a second iteration.
   * @throws {AbortedError} From the iteration, after the outcomes of what was under way, once the signal is aborted.
   * @example
   * const run = client.consent.recordMany(rows, { keyPrefix: "import-2026-03-02", concurrency: 32 });
   * for await (const outcome of run) if (!outcome.ok) console.error(outcome.row.contact, outcome.error.message);
   */
  recordMany<E extends boolean = false>(
    rows: Rows<V1MerchantConsentRequest>,
    options: BulkOptions<V1MerchantConsentRequest, E> = {},
  ): BulkRun<V1MerchantConsentRequest, ReplyData<ConsentView, E>> {
    return bulkRun(rows, (row, options) => this.record(row, options), options);
  }
}
