/** Records consents of many recipients. */
import type { ReplyData } from "../exact-integers.ts";
import { ConsentResource } from "../generated/resources.ts";
import type { ConsentView, V1MerchantConsentRequest } from "../generated/types.ts";
import type { NamesOf } from "../known-names.ts";
import { type BulkOptions, type BulkRun, bulkRun, type RowCall } from "./bulk-run.ts";
import { stateKeys } from "./row-keys.ts";
import type { Rows } from "./run-bounded.ts";

/** Options of `client.consent.recordMany`. */
export type RecordManyOptions<E extends boolean = false> = Omit<BulkOptions<V1MerchantConsentRequest, E>, "keyPrefix">;

const FIELDS: NamesOf<V1MerchantConsentRequest> = { merchantId: 1, channel: 1, contact: 1, status: 1, source: 1 };

/** Consents of recipients, one or many. */
export class BulkConsentResource extends ConsentResource {
  /**
   * Records one opt-in or opt-out for each row, several at a time, and yields each outcome as it comes. Limits, pace and
   * errors are as with `client.send.many`.
   *
   * A consent is a state, so each run records all its rows again: keys are random, and serve only the retries within a run.
   * Rows of one contact are recorded one after another, in order, so that the last one applies. If each row must be
   * recorded only once in all runs, such as an answer to a form, set `idempotencyKey`.
   *
   * @param rows - Bodies of `client.consent.record`, from anything that can be iterated.
   * @param options - Concurrency, keys, signal; time limits, retries and headers of each call.
   * @throws {UsageError} At once for options out of their range; on a second iteration, and if the run is awaited.
   * @throws {AbortedError} From the iteration once the signal is aborted, after the outcomes of the calls in progress.
   * @example
   * const run = client.consent.recordMany(rows, { concurrency: 32 });
   * for await (const outcome of run) if (!outcome.ok) console.error(outcome.row.contact, outcome.error.message);
   */
  recordMany<E extends boolean = false>(
    rows: Rows<V1MerchantConsentRequest>,
    options: RecordManyOptions<E> = {},
  ): BulkRun<V1MerchantConsentRequest, ReplyData<ConsentView, E>> {
    const name = "client.consent.recordMany";
    const call: RowCall<V1MerchantConsentRequest, ConsentView, E> = (row, options) => this.record(row, options);
    return bulkRun(rows, { name, call, keys: stateKeys(options), fields: FIELDS, laneOf }, options);
  }
}

/**
 * Names the lane of a contact. Contacts may share a lane, but one contact always has the same lane, however it is written:
 * in upper or lower case, or with a trunk prefix after the country code, which the service drops.
 */
function laneOf({ contact }: V1MerchantConsentRequest): string {
  return String(contact)
    .trim()
    .toLowerCase()
    .replace(/^\+\d+(?=\d{6})/, "");
}
