/** Single messages to many recipients. */
import { UsageError } from "../errors.ts";
import type { ReplyData } from "../exact-integers.ts";
import { SendResource } from "../generated/resources.ts";
import type {
  Channel,
  DispatchResponse,
  V1OmniEmailSendRequest,
  V1OmniSmsSendRequest,
  V1OmniVoiceSendRequest,
} from "../generated/types.ts";
import type { NamesOf } from "../known-names.ts";
import { type BulkOptions, type BulkRun, bulkRun, type RowCall } from "./bulk-run.ts";
import { contentKeys } from "./row-keys.ts";
import type { Rows } from "./run-bounded.ts";

/** The body of a single message, by channel. */
export interface SendRows {
  SMS: V1OmniSmsSendRequest;
  VOICE: V1OmniVoiceSendRequest;
  EMAIL: V1OmniEmailSendRequest;
}

/** Options of `client.send.many`. */
export interface SendManyOptions<By extends Channel, E extends boolean = false> extends BulkOptions<SendRows[By], E> {
  /** The channel of all rows, which determines their fields. */
  channel: By;
}

type SendCalls<E extends boolean> = { [By in Channel]: RowCall<SendRows[By], DispatchResponse, E> };

/** The operation of each channel, which is part of a row's identity. */
const OPERATIONS = { SMS: "sendSms", VOICE: "sendVoice", EMAIL: "sendEmail" } as const;

/** The members that a row may have, by channel. Any other, such as a database's column, would cost a refused request. */
const FIELDS: { [By in Channel]: NamesOf<SendRows[By]> } = {
  SMS: { merchantId: 1, to: 1, message: 1, type: 1 },
  VOICE: { merchantId: 1, to: 1, text: 1, type: 1, record: 1, timeoutSeconds: 1 },
  EMAIL: { merchantId: 1, to: 1, subject: 1, body: 1, type: 1 },
};

/** Single SMS, calls and emails, one or many. */
export class BulkSendResource extends SendResource {
  /**
   * Sends one message for each row, several at a time, and yields each outcome as it comes. Memory use does not grow with
   * the number of rows. A refused row is an outcome like any other. A row with an unknown member, such as a column of a
   * database, is refused without a request. Leaving the loop ends the calls in progress, and starts no more. Nothing is
   * sent before the iteration begins.
   *
   * Every row has its own key, made from `keyPrefix`, the row's content and its number among equal rows, never from its
   * position. Store the prefix before the run. After a crash or an abort, run the list again with the same prefix, whole or
   * in part, in any order: sent rows are reported with `meta.replayed`, and only the others are sent. The service keeps
   * keys for 7 days by default, and never for less than 3. A row whose text has changed is a new row. To prevent that, or
   * if a part of the list may contain only one of two equal rows, set `idempotencyKey`.
   *
   * When the service tells one row to wait (429, 503 with `Retry-After`, or `RateLimit` with no requests left), no row is
   * sent until that time has passed. A 429 does not count as an attempt, and the wait does not count towards
   * `totalTimeoutMs`. If all replies are 429 for 15 minutes, rows end with their `RateLimitError`.
   *
   * If the credential is wrong, each row ends with an `AuthenticationError`: leave the loop at the first one.
   *
   * @param rows - Bodies of the method for one message, from an array, a generator, a file's lines, a query's cursor.
   * @param options - Channel, concurrency, keys, signal; time limits, retries and headers of each call.
   * @throws {UsageError} At once for options out of their range; on a second iteration, and if the run is awaited.
   * @throws {AbortedError} From the iteration once the signal is aborted, after the outcomes of the calls in progress.
   * An error of the source is thrown in the same place.
   * @example
   * const run = client.send.many(rows, { channel: "SMS", keyPrefix: "reminders-2026-03-02" });
   * for await (const outcome of run) {
   *   if (outcome.ok) console.log(outcome.index, outcome.data.messageId);
   *   else if (outcome.error instanceof AuthenticationError) break;
   *   else console.error(outcome.row.to, outcome.error.message);
   * }
   */
  many<By extends Channel, E extends boolean = false>(
    rows: Rows<SendRows[By]>,
    options: SendManyOptions<By, E>,
  ): BulkRun<SendRows[By], ReplyData<DispatchResponse, E>> {
    const calls: SendCalls<E> = {
      SMS: (row, options) => this.sms(row, options),
      VOICE: (row, options) => this.voice(row, options),
      EMAIL: (row, options) => this.email(row, options),
    };
    const { channel, ...rest } = options;
    if (Object.hasOwn(calls, channel)) {
      const keys = contentKeys(rest, OPERATIONS[channel]);
      const fields = FIELDS[channel];
      return bulkRun(rows, { name: "client.send.many", call: calls[channel], keys, fields }, rest);
    }
    throw new UsageError(`channel is ${JSON.stringify(channel)}. It must be ${Object.keys(calls).join(", ")}.`);
  }
}
