/** What the compiler must say of the public types: `npm run typecheck` fails where it says otherwise. */
import { expectTypeOf } from "vitest";
import type {
  ConsentError,
  DispatchResponse,
  ErrorCode,
  FailureMeta,
  MerchantView,
  MessageStatus,
  MessagingClient,
  MessagingError,
  ResponseMeta,
  V1OmniSmsSendRequest,
  VoiceTtsCallView,
} from "./index.ts";

declare const client: MessagingClient;
declare const error: ConsentError;

const body: V1OmniSmsSendRequest = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };

// What goes in
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
// @ts-expect-error an object is no path value
client.tts.get({ requestId: 7 });

// What comes out
expectTypeOf(client.send.sms(body)).resolves.toEqualTypeOf<DispatchResponse>();
expectTypeOf(client.merchants.list()).resolves.toEqualTypeOf<MerchantView[]>();
expectTypeOf(client.provisioning.directory("u1")).resolves.toEqualTypeOf<string>();
expectTypeOf(client.provisioning.presence({ sipUsername: "u1", registered: true })).resolves.toEqualTypeOf<undefined>();
expectTypeOf<MerchantView["limits"]["smsLimit"]>().toEqualTypeOf<number | bigint>();
expectTypeOf<VoiceTtsCallView["callSessionId"]>().toEqualTypeOf<number | bigint | null>();
expectTypeOf<DispatchResponse["status"]>().toEqualTypeOf<MessageStatus | (string & {})>();

// The other ways to read an outcome
expectTypeOf(client.send.sms(body).withResponse()).resolves.toEqualTypeOf<{
  data: DispatchResponse;
  meta: ResponseMeta;
}>();
const outcome = await client.send.sms(body).safe();
if (outcome.ok) expectTypeOf(outcome.data).toEqualTypeOf<DispatchResponse>();
else expectTypeOf(outcome.error).toEqualTypeOf<MessagingError>();
if (!outcome.ok) expectTypeOf(outcome.meta).toEqualTypeOf<FailureMeta>();

// Codes are known, and may be new
expectTypeOf(error.code).toEqualTypeOf<ErrorCode | undefined>();
expectTypeOf<"consent_required">().toExtend<ErrorCode>();
expectTypeOf<"code_of_a_newer_service">().toExtend<ErrorCode>();

// The raw client knows the paths
client.raw.GET("/api/v1/merchants/{merchantId}", { params: { path: { merchantId: "m1" } } });
// @ts-expect-error no such path
client.raw.GET("/api/v1/nothing");
