/** Compile-time tests of the bulk methods and of `waitForBatch`. */
import { expectTypeOf } from "vitest";
import type {
  BulkOutcome,
  BulkRun,
  ConsentView,
  CoreClient,
  DispatchResponse,
  FailureMeta,
  MessagingClient,
  MessagingError,
  PathValue,
  ResourceClient,
  ResponseMeta,
  V1MerchantConsentRequest,
  V1OmniEmailSendRequest,
  V1OmniSmsSendRequest,
  V1OmniVoiceSendRequest,
  VoiceTtsBatchSummaryView,
} from "../index.ts";

declare const client: MessagingClient;
declare const texts: V1OmniSmsSendRequest[];
declare const calls: AsyncIterable<V1OmniVoiceSendRequest>;
declare const emails: Generator<V1OmniEmailSendRequest>;
declare const answers: ReadonlySet<V1MerchantConsentRequest>;

// The channel determines the type of the rows
expectTypeOf(client.send.many(texts, { channel: "SMS" })).toEqualTypeOf<
  BulkRun<V1OmniSmsSendRequest, DispatchResponse>
>();
expectTypeOf(client.send.many(calls, { channel: "VOICE" })).toEqualTypeOf<
  BulkRun<V1OmniVoiceSendRequest, DispatchResponse>
>();
expectTypeOf(client.send.many(emails, { channel: "EMAIL" })).toEqualTypeOf<
  BulkRun<V1OmniEmailSendRequest, DispatchResponse>
>();
expectTypeOf(client.consent.recordMany(answers)).toEqualTypeOf<BulkRun<V1MerchantConsentRequest, ConsentView>>();
client.send.many([{ merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" }], { channel: "SMS" });
// @ts-expect-error rows of another channel
client.send.many(calls, { channel: "SMS" });
// @ts-expect-error a field that an SMS does not have
client.send.many([{ merchantId: "m1", to: "+12025550100", text: "Hello", type: "OTP" }], { channel: "SMS" });
// @ts-expect-error a request's enum is closed
client.send.many([{ merchantId: "m1", to: "+12025550100", message: "Hello", type: "CHAT" }], { channel: "SMS" });
// @ts-expect-error one row is not an iterable of rows
client.send.many({ merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" }, { channel: "SMS" });
// @ts-expect-error no such channel
client.send.many(texts, { channel: "FAX" });
// @ts-expect-error the channel is required
client.send.many(texts, {});
// @ts-expect-error consents have their channel in the row
client.consent.recordMany(answers, { channel: "SMS" });

// @ts-expect-error there is no key prefix, since each run records all consents again
client.consent.recordMany(answers, { keyPrefix: "p" });

// Options
const { signal } = new AbortController();
client.send.many(texts, { channel: "SMS", concurrency: 8, keyPrefix: "p", signal, timeoutMs: 1, maxRetries: 0 });
client.send.many(texts, {
  channel: "SMS",
  idempotencyKey: (row, index) => {
    expectTypeOf(row).toEqualTypeOf<V1OmniSmsSendRequest>();
    expectTypeOf(index).toEqualTypeOf<number>();
    return `${row.to}-${index}`;
  },
});
// @ts-expect-error every row needs a key
client.send.many(texts, { channel: "SMS", idempotencyKey: () => undefined });
// @ts-expect-error with one key for all rows, only the first row would be sent
client.send.many(texts, { channel: "SMS", idempotencyKey: "k1" });

// Outcomes
const run = client.send.many(texts, { channel: "SMS" });
expectTypeOf(run.keyPrefix).toEqualTypeOf<string | undefined>();
for await (const outcome of run) {
  expectTypeOf(outcome).toEqualTypeOf<BulkOutcome<V1OmniSmsSendRequest, DispatchResponse>>();
  expectTypeOf(outcome.index).toEqualTypeOf<number>();
  expectTypeOf(outcome.row).toEqualTypeOf<V1OmniSmsSendRequest>();
  if (outcome.ok) {
    expectTypeOf(outcome.data).toEqualTypeOf<DispatchResponse>();
    expectTypeOf(outcome.meta).toEqualTypeOf<ResponseMeta>();
    expectTypeOf(outcome.idempotencyKey).toEqualTypeOf<string>();
  } else {
    expectTypeOf(outcome.error).toEqualTypeOf<MessagingError>();
    expectTypeOf(outcome.meta).toEqualTypeOf<FailureMeta>();
    expectTypeOf(outcome.idempotencyKey).toEqualTypeOf<string | undefined>();
  }
}
// @ts-expect-error a run cannot be awaited
await run;
// @ts-expect-error an async function cannot return a run
export const start = async () => client.send.many(texts, { channel: "SMS" });

// waitForBatch
expectTypeOf(client.tts.waitForBatch).parameter(0).toEqualTypeOf<PathValue>();
expectTypeOf(client.tts.waitForBatch("7")).toEqualTypeOf<Promise<VoiceTtsBatchSummaryView>>();
client.tts.waitForBatch(7n, {
  signal,
  timeoutMs: 60_000,
  pollMs: 1_000,
  onProgress: (summary) => expectTypeOf(summary).toEqualTypeOf<VoiceTtsBatchSummaryView>(),
});

// The generated client is unchanged, and this one extends it
expectTypeOf<MessagingClient>().toExtend<ResourceClient>();
expectTypeOf<MessagingClient>().toExtend<CoreClient>();
expectTypeOf<ResourceClient["send"]>().not.toHaveProperty("many");
