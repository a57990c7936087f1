/** Compile-time tests of the public types: `npm run typecheck` fails if one is not met. */
import { expectTypeOf } from "vitest";
import {
  type CallOptions,
  type ClientOptions,
  type ConsentError,
  type DispatchResponse,
  type ErrorCode,
  type Exact,
  type FailureMeta,
  type Hooks,
  type MerchantView,
  MessageStatus,
  MessageType,
  type MessagingClient,
  type MessagingError,
  type Outcome,
  type PathValue,
  type ResponseMeta,
  type SendManyOptions,
  type V1MerchantUpsertRequest,
  type V1OmniSmsSendRequest,
  type VoiceTtsCallView,
  type WaitForBatchOptions,
} from "./index.ts";

declare const client: MessagingClient;
declare const error: ConsentError;

const body: V1OmniSmsSendRequest = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };

// Arguments
expectTypeOf(client.send.sms).parameter(0).toEqualTypeOf<V1OmniSmsSendRequest>();
expectTypeOf(client.merchants.get).parameter(0).toEqualTypeOf<string>();
expectTypeOf(client.tts.get).parameter(0).toEqualTypeOf<string | number | bigint>();
expectTypeOf(client.alerts.list).parameter(0).toEqualTypeOf<{ merchantId?: string } | undefined>();
client.send.sms(body, { idempotencyKey: "k1", timeoutMs: 1000, headers: {}, signal: AbortSignal.timeout(1) });
// @ts-expect-error a request's enum is closed
client.send.sms({ ...body, type: "CHAT" });
// @ts-expect-error a field the contract does not have
client.send.sms({ ...body, text: "Hello" });
// @ts-expect-error a body is required
client.send.sms();
// @ts-expect-error a read has no idempotency key
client.merchants.list({ idempotencyKey: "k1" });
// @ts-expect-error an object is not a path value
client.tts.get({ requestId: 7 });

// An optional member of a body, a query or options may be undefined, even with exactOptionalPropertyTypes
type RefusesUndefined<T> = T extends readonly unknown[] | PathValue | undefined
  ? never
  : { [N in keyof T]-?: object extends Pick<T, N> ? (undefined extends Required<T>[N] ? never : N) : never }[keyof T];
type ArgumentOf<Resource> = Resource extends unknown
  ? {
      [Name in keyof Resource]: Resource[Name] extends (...args: infer Args) => unknown ? Args[number] : never;
    }[keyof Resource]
  : never;
type Resources = Omit<MessagingClient, "raw" | "request">;
expectTypeOf<RefusesUndefined<{ source?: string; note?: string | undefined }>>().toEqualTypeOf<"source">();
expectTypeOf<RefusesUndefined<ArgumentOf<Resources[keyof Resources]>>>().toBeNever();
expectTypeOf<RefusesUndefined<Parameters<MessagingClient["request"]>[number]>>().toBeNever();
expectTypeOf<RefusesUndefined<ClientOptions | Hooks | SendManyOptions<"SMS"> | WaitForBatchOptions>>().toBeNever();

// Results
expectTypeOf(client.send.sms(body)).resolves.toEqualTypeOf<DispatchResponse>();
expectTypeOf(client.merchants.list()).resolves.toEqualTypeOf<MerchantView[]>();
expectTypeOf(client.provisioning.directory("u1")).resolves.toEqualTypeOf<string>();
expectTypeOf(client.provisioning.presence({ sipUsername: "u1", registered: true })).resolves.toEqualTypeOf<undefined>();
expectTypeOf<MerchantView["limits"]["smsLimit"]>().toEqualTypeOf<number>();
expectTypeOf<VoiceTtsCallView["callSessionId"]>().toEqualTypeOf<number | null>();
expectTypeOf<V1MerchantUpsertRequest["smsLimit"]>().toEqualTypeOf<number | bigint | undefined>();
expectTypeOf<DispatchResponse["status"]>().toEqualTypeOf<MessageStatus | (string & {})>();

// Exact integers, on request
const exactly = { exactIntegers: true } as const;
const exact = await client.merchants.get("m1", exactly);
expectTypeOf(exact).toEqualTypeOf<Exact<MerchantView>>();
expectTypeOf(exact.limits.smsLimit).toEqualTypeOf<number | bigint>();
expectTypeOf(exact.displayName).toEqualTypeOf<string>();
expectTypeOf(client.merchants.get("m1", { exactIntegers: false })).resolves.toEqualTypeOf<MerchantView>();
expectTypeOf(client.merchants.list({ exactIntegers: true, timeoutMs: 1 })).resolves.toEqualTypeOf<
  Exact<MerchantView[]>
>();
expectTypeOf(client.send.sms(body, exactly)).resolves.toEqualTypeOf<Exact<DispatchResponse>>();
expectTypeOf(client.merchants.get("m1", exactly).withResponse()).resolves.toEqualTypeOf<{
  data: Exact<MerchantView>;
  meta: ResponseMeta;
}>();
expectTypeOf(client.merchants.get("m1", exactly).safe()).resolves.toEqualTypeOf<Outcome<Exact<MerchantView>>>();
expectTypeOf<Exact<DispatchResponse>["status"]>().toEqualTypeOf<DispatchResponse["status"]>();
declare const perhaps: boolean;
expectTypeOf(client.merchants.get("m1", { exactIntegers: perhaps })).resolves.toEqualTypeOf<
  MerchantView | Exact<MerchantView>
>();
declare const options: CallOptions;
expectTypeOf(client.merchants.get("m1", options)).resolves.toEqualTypeOf<MerchantView>();
// @ts-expect-error a misspelt option, even if the type of the reply depends on the options
client.merchants.get("m1", { exactInteger: true });
// @ts-expect-error a text has no integers
client.provisioning.directory("u1", { exactIntegers: true });

// The values of an enum have names. A misspelt name does not compile, although a reply's enum accepts any string
expectTypeOf<typeof MessageStatus.DELIVERED>().toEqualTypeOf<"DELIVERED">();
expectTypeOf<(typeof MessageStatus)[keyof typeof MessageStatus]>().toEqualTypeOf<MessageStatus>();
// @ts-expect-error no such status
MessageStatus.DELIVRED;
client.send.sms({ ...body, type: MessageType.OTP });

// Other ways to read an outcome
expectTypeOf(client.send.sms(body).withResponse()).resolves.toEqualTypeOf<{
  data: DispatchResponse;
  meta: ResponseMeta;
}>();
const outcome = await client.send.sms(body).safe();
if (outcome.ok) expectTypeOf(outcome.data).toEqualTypeOf<DispatchResponse>();
else expectTypeOf(outcome.error).toEqualTypeOf<MessagingError>();
if (!outcome.ok) expectTypeOf(outcome.meta).toEqualTypeOf<FailureMeta>();

// Known codes are listed, and new ones are allowed
expectTypeOf(error.code).toEqualTypeOf<ErrorCode | undefined>();
expectTypeOf<"consent_required">().toExtend<ErrorCode>();
expectTypeOf<"code_of_a_newer_service">().toExtend<ErrorCode>();

// The raw client knows the paths
client.raw.GET("/api/v1/merchants/{merchantId}", { params: { path: { merchantId: "m1" } } });
const { data: rawMerchant } = await client.raw.GET("/api/v1/merchants/{merchantId}", {
  params: { path: { merchantId: "m1" } },
});
expectTypeOf<NonNullable<typeof rawMerchant>["limits"]["smsLimit"]>().toEqualTypeOf<number | bigint>();
expectTypeOf<NonNullable<typeof rawMerchant>["displayName"]>().toEqualTypeOf<string>();
// @ts-expect-error no such path
client.raw.GET("/api/v1/nothing");
