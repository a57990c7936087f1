/** Type tests of the types by operation: `npm run typecheck` fails if one is not met. */
import { expectTypeOf } from "vitest";
import type { BodyOf, ErrorCodeOf, OperationId, PathOf, ProblemCode, QueryOf, ResponseOf, Schemas } from "./index.ts";

// Path and query parameters: an empty object if the operation has none
expectTypeOf<PathOf<"getMerchant">>().toEqualTypeOf<{ merchantId: string }>();
expectTypeOf<keyof PathOf<"listMerchants">>().toBeNever();
expectTypeOf<QueryOf<"listTtsCalls">["limit"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<keyof QueryOf<"sendSms">>().toBeNever();

// Bodies
expectTypeOf<BodyOf<"sendSms">>().toEqualTypeOf<Schemas["V1OmniSmsSendRequest"]>();
expectTypeOf<BodyOf<"listMerchants">>().toBeUndefined();

// Replies: a view, a list of views, text, no body
expectTypeOf<ResponseOf<"getMerchant">>().toEqualTypeOf<Schemas["MerchantView"]>();
expectTypeOf<ResponseOf<"listMerchants">>().toEqualTypeOf<Schemas["MerchantView"][]>();
expectTypeOf<ResponseOf<"getDirectoryEntry">>().toBeString();
expectTypeOf<ResponseOf<"reportSipPresence">>().toBeUndefined();

// An int64 of a reply is a number; an enum is open in a view and closed in a request
expectTypeOf<ResponseOf<"getMerchant">["limits"]["smsLimit"]>().toEqualTypeOf<number>();
expectTypeOf<string>().toExtend<ResponseOf<"sendSms">["status"]>();
expectTypeOf<BodyOf<"sendSms">["type"]>().toEqualTypeOf<"OTP" | "REMINDER" | "MARKETING" | "TRANSACTIONAL">();

// Problem codes, of the whole contract and of one operation
expectTypeOf<ProblemCode>().toEqualTypeOf<Schemas["ProblemCode"]>();
expectTypeOf<ErrorCodeOf<OperationId>>().toExtend<ProblemCode>();
expectTypeOf<"quota_exceeded">().toExtend<ErrorCodeOf<"sendSms">>();
expectTypeOf<"quota_exceeded">().not.toExtend<ErrorCodeOf<"listMerchants">>();
