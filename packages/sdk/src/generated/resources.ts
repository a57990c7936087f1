// Generated from openapi.yaml by npm run generate. Do not edit.

import type { ApiCall } from "../api-call.ts";
import { CoreClient, withIdentities } from "../core-client.ts";
import type { ReplyData } from "../exact-integers.ts";
import type { CallOptions, WriteOptions } from "../options.ts";
import type { PathValue } from "../path-values.ts";
import type {
  AlertView,
  BrandView,
  CampaignView,
  ConsentView,
  DispatchResponse,
  GetUsageReportQuery,
  ListAlertsQuery,
  ListConsentsQuery,
  ListTtsBatchNumbersQuery,
  ListTtsCallsQuery,
  MerchantSmsRegistrationStatusView,
  MerchantUpgradeView,
  MerchantView,
  PhoneNumberView,
  V1EmailSendRequest,
  V1MerchantConsentRequest,
  V1MerchantMessagingBrandRequest,
  V1MerchantMessagingCampaignRequest,
  V1MerchantPhoneNumberAssignRequest,
  V1MerchantPhoneNumberRequest,
  V1MerchantUpgradeRequest,
  V1MerchantUpsertRequest,
  V1MessageResponse,
  V1OmniEmailSendRequest,
  V1OmniSmsSendRequest,
  V1OmniVoiceSendRequest,
  V1SimulatorReplyRequest,
  V1SimulatorReplyResponse,
  V1SmsSendRequest,
  V1UsageReportResponse,
  V1VoiceProvisioningResponse,
  V1VoiceSipPresenceRequest,
  V1VoiceTtsCallRequest,
  VoiceTtsBatchNumberView,
  VoiceTtsBatchSummaryView,
  VoiceTtsCallView,
  VoiceTtsSubmissionView,
} from "./types.ts";

/** The businesses a tenant sends for, each with monthly limits, credits and usage. */
export class MerchantsResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, {
      "POST /api/v1/merchants": ["merchantId"],
      "GET /api/v1/merchants": [["merchantId"]],
      "GET /api/v1/merchants/{merchantId}": ["merchantId"],
    });
  }

  /**
   * Create or update a merchant
   *
   * Creates a merchant, or updates the given fields of an existing one. On creation, omitted limits and credits are 0
   * and `active` is true. On update, omitted fields keep their values. Requires a tenant's credential.
   *
   * @param body - Required: `merchantId`, `displayName`. Optional: `active`, `smsLimit`, `voiceMinutesLimit`,
   *   `emailLimit`, `smsCredits`, `voiceMinutesCredits`, `emailCredits`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A merchant with its limits, credits and the usage of the current month.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.merchants.upsert({
   *   merchantId: "bright-dental",
   *   displayName: "Bright Dental",
   *   active: true,
   *   smsLimit: 5000,
   *   voiceMinutesLimit: 600,
   *   emailLimit: 10000,
   *   smsCredits: 250,
   *   voiceMinutesCredits: 0,
   *   emailCredits: 0,
   * });
   */
  upsert<E extends boolean = false>(
    body: V1MerchantUpsertRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<MerchantView, E>> {
    return this.#client.request("POST", "/api/v1/merchants", { body }, options);
  }

  /**
   * List the merchants of the tenant
   *
   * Returns all merchants of the tenant with their limits, credits and usage in the current month, ordered by
   * merchantId. With a merchant's credential, returns that merchant only.
   *
   * @param options - Signal, time limit, headers.
   * @returns A list. Each item: A merchant with its limits, credits and the usage of the current month.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.merchants.list();
   */
  list<E extends boolean = false>(options?: CallOptions<E>): ApiCall<ReplyData<MerchantView[], E>> {
    return this.#client.request("GET", "/api/v1/merchants", {}, options);
  }

  /**
   * Read one merchant
   *
   * Returns a merchant's limits, credits and usage in the current month.
   *
   * @param merchantId - Identifier of the merchant.
   * @param options - Signal, time limit, headers.
   * @returns A merchant with its limits, credits and the usage of the current month.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.merchants.get("bright-dental");
   */
  get<E extends boolean = false>(merchantId: string, options?: CallOptions<E>): ApiCall<ReplyData<MerchantView, E>> {
    return this.#client.request("GET", "/api/v1/merchants/{merchantId}", { path: { merchantId } }, options);
  }
}

/** Recipients' opt-ins and opt-outs, by merchant, channel and contact. */
export class ConsentResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, {
      "POST /api/v1/consents": ["merchantId", "channel", "contact", "status"],
      "GET /api/v1/consents": [["merchantId", "channel", "contact", "status"]],
    });
  }

  /**
   * Record a recipient's opt-in or opt-out
   *
   * Creates or replaces the consent of a contact for one merchant and channel. Earlier decisions are kept as history.
   * Works for an inactive merchant too, so that no opt-out is lost. MARKETING requires an OPT_IN on every channel,
   * REMINDER by SMS and voice, TRANSACTIONAL by voice. An OPT_OUT blocks all messages except TRANSACTIONAL and OTP by
   * email.
   *
   * @param body - Required: `merchantId`, `channel`, `contact`, `status`. Optional: `source`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns The decision of one contact for one merchant and channel.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.consent.record({
   *   merchantId: "bright-dental",
   *   channel: "SMS",
   *   contact: "+12025550100",
   *   status: "OPT_IN",
   *   source: "intake-form",
   * });
   */
  record<E extends boolean = false>(
    body: V1MerchantConsentRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<ConsentView, E>> {
    return this.#client.request("POST", "/api/v1/consents", { body }, options);
  }

  /**
   * List recorded consents
   *
   * Returns the current consent of every contact, for all merchants of the tenant or for one, ordered by merchant,
   * channel and contact. With a merchant's credential, returns that merchant's consents only.
   *
   * @param query - `merchantId`: Only results of this merchant. Default: all merchants that the credential can access.
   * @param options - Signal, time limit, headers.
   * @returns A list. Each item: The decision of one contact for one merchant and channel.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.consent.list();
   */
  list<E extends boolean = false>(
    query?: ListConsentsQuery,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<ConsentView[], E>> {
    return this.#client.request("GET", "/api/v1/consents", { query }, options);
  }
}

/** Single SMS, calls and emails, sent after the consent and quota checks. */
export class SendResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, {
      "POST /api/v1/messages/sms": ["messageId"],
      "POST /api/v1/messages/voice": ["messageId"],
      "POST /api/v1/messages/email": ["messageId"],
      "POST /api/v1/sms/send": ["messageId"],
      "POST /api/v1/email/send": ["messageId"],
    });
  }

  /**
   * Send an SMS for a merchant
   *
   * Checks consent and quota, reserves one unit per segment and queues the message. A segment is 160 GSM-7 characters,
   * or 70 characters of any other script; in a message of several segments, 153 or 67. The reply is sent once the
   * message is safely stored. Repeat the request with the same Idempotency-Key to read the message's current state.
   *
   * @param body - Required: `merchantId`, `to`, `message`, `type`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message accepted for a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_required`: The recipient has not opted in
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.send.sms({
   *   merchantId: "bright-dental",
   *   to: "+12025550100",
   *   message: "Your Bright Dental code is 402913. It is valid for 10 minutes.",
   *   type: "OTP",
   * });
   */
  sms<E extends boolean = false>(
    body: V1OmniSmsSendRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<DispatchResponse, E>> {
    return this.#client.request("POST", "/api/v1/messages/sms", { body }, options);
  }

  /**
   * Call a number and speak a text for a merchant
   *
   * Checks consent and quota, reserves the estimated minutes and queues a call that speaks the text. Every started
   * minute of answered time is charged; an unanswered call is free. Outside 08:00 to 21:00 in the recipient's time
   * zone, a MARKETING call stays QUEUED until the next 08:00.
   *
   * @param body - Required: `merchantId`, `to`, `text`, `type`. Optional: `record`, `timeoutSeconds`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message accepted for a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_required`: The recipient has not opted in
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.send.voice({
   *   merchantId: "bright-dental",
   *   to: "+12025550100",
   *   text: "Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning.",
   *   type: "REMINDER",
   *   record: false,
   *   timeoutSeconds: 30,
   * });
   */
  voice<E extends boolean = false>(
    body: V1OmniVoiceSendRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<DispatchResponse, E>> {
    return this.#client.request("POST", "/api/v1/messages/voice", { body }, options);
  }

  /**
   * Send an email for a merchant
   *
   * Checks consent and quota, reserves one unit and queues the email. The body may be HTML.
   *
   * @param body - Required: `merchantId`, `to`, `subject`, `body`, `type`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message accepted for a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_required`: The recipient has not opted in
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.send.email({
   *   merchantId: "bright-dental",
   *   to: "dana@patients.example",
   *   subject: "Your receipt from Bright Dental",
   *   body: "<p>Thank you for your visit. You paid <b>$85.00</b> today.</p>",
   *   type: "TRANSACTIONAL",
   * });
   */
  email<E extends boolean = false>(
    body: V1OmniEmailSendRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<DispatchResponse, E>> {
    return this.#client.request("POST", "/api/v1/messages/email", { body }, options);
  }

  /**
   * Send an SMS without naming a merchant
   *
   * Sends a TRANSACTIONAL SMS for the tenant's default merchant (`default`, created with the tenant), with the same
   * rules, segments and quota as any other SMS. It needs no opt-in, but an opt-out blocks it. Requires a tenant's
   * credential.
   *
   * @param body - Required: `to`, `message`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message accepted for the default merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.send.directSms({
   *   to: "+12025550100",
   *   message: "Your order 7731 is ready for pick-up.",
   * });
   */
  directSms<E extends boolean = false>(
    body: V1SmsSendRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<V1MessageResponse, E>> {
    return this.#client.request("POST", "/api/v1/sms/send", { body }, options);
  }

  /**
   * Send an email without naming a merchant
   *
   * Sends a TRANSACTIONAL email for the tenant's default merchant (`default`, created with the tenant), with the same
   * quota as any other email. Transactional email needs no consent. Requires a tenant's credential.
   *
   * @param body - Required: `to`, `body`. Optional: `subject`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message accepted for the default merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.send.directEmail({
   *   to: "dana@patients.example",
   *   subject: "Order 7731 is ready",
   *   body: "<p>You can pick it up until 18:00.</p>",
   * });
   */
  directEmail<E extends boolean = false>(
    body: V1EmailSendRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<V1MessageResponse, E>> {
    return this.#client.request("POST", "/api/v1/email/send", { body }, options);
  }
}

/** Spoken messages to one or more numbers, with delivery and cost per call and per batch. */
export class TtsResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, {
      "POST /api/v1/voice/tts-calls": ["batchId"],
      "GET /api/v1/voice/tts-calls": [["requestId"]],
      "GET /api/v1/voice/tts-calls/{requestId}": ["requestId"],
      "GET /api/v1/voice/tts-calls/batches/{batchId}/summary": ["batchId"],
      "GET /api/v1/voice/tts-calls/batches/{batchId}/numbers": [["requestId"]],
    });
  }

  /**
   * Call one or more numbers and speak a text
   *
   * Converts the text to speech once and calls every number in `toNumber` and `toNumbers`, without duplicates. At
   * least one number is required. If any number is malformed, the whole request is refused. A number that the consent
   * or quota check refuses becomes a REJECTED call with a `policyReason`; if all numbers are refused, the request
   * fails with `all_recipients_refused`. Outside 08:00 to 21:00 in the recipient's time zone, marketing calls are
   * scheduled for the next 08:00. Consent and quota are checked again then, and can still refuse a call. If the
   * merchant has been deactivated by then, the call is FAILED and its `error` says so.
   *
   * @param body - Required: `merchantId`, `messageText`, `useCase`. Optional: `platformAccountId`, `tenantId`,
   *   `sourceSystem`, `campaignId`, `campaignName`, `toNumber`, `toNumbers`, `language`, `voiceProfile`,
   *   `customerTimezone`, `priority`, `callbackUrl`, `idempotencyKey`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns An accepted batch of calls. A single number is a batch of one.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `invalid_timezone`: Not a known time zone
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 400 `idempotency_key_conflict`: Two different idempotency keys
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `all_recipients_refused`: Every recipient was refused
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.tts.create({
   *   merchantId: "bright-dental",
   *   messageText: "Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning. We look forward to seeing you.",
   *   useCase: "REMINDER",
   *   toNumber: "+12025550100",
   * });
   */
  create<E extends boolean = false>(
    body: V1VoiceTtsCallRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<VoiceTtsSubmissionView, E>> {
    return this.#client.request("POST", "/api/v1/voice/tts-calls", { body }, options);
  }

  /**
   * List recent calls
   *
   * Returns the newest calls first, up to `limit`. A call must match all given filters. With a merchant's credential,
   * returns that merchant's calls only.
   *
   * @param query - `merchantId`: Only results of this merchant. Default: all merchants that the credential can access.
   *   `tenantId`: Only calls with exactly this sub-tenant label. `sourceSystem`: Only calls with exactly this source
   *   system label. `useCase`: Only calls with this use case, in upper or lower case. `limit`: Maximum number of calls
   *   to return, 1 to 500. Default: 50.
   * @param options - Signal, time limit, headers.
   * @returns A list. Each item: One call with its delivery, usage and cost.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.tts.list();
   */
  list<E extends boolean = false>(
    query?: ListTtsCallsQuery,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<VoiceTtsCallView[], E>> {
    return this.#client.request("GET", "/api/v1/voice/tts-calls", { query }, options);
  }

  /**
   * Read one call
   *
   * Returns a call with its delivery, its usage of speech and minutes, and its cost. With a merchant's credential,
   * finds that merchant's calls only.
   *
   * @param requestId - Identifier of the call.
   * @param options - Signal, time limit, headers.
   * @returns One call with its delivery, usage and cost.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 404 `call_not_found`: There is no such call
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.tts.get("48211");
   */
  get<E extends boolean = false>(
    requestId: PathValue,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<VoiceTtsCallView, E>> {
    return this.#client.request("GET", "/api/v1/voice/tts-calls/{requestId}", { path: { requestId } }, options);
  }

  /**
   * Read the totals of a batch
   *
   * Returns the progress and cost of a batch. These sums always hold: success + failed + partial + pending + scheduled
   * = totalCalls; finalizedCount + provisionalCount = totalCalls; totalTtsCost + totalCallCost = provisionalCost +
   * finalizedCost = totalCost.
   *
   * @param batchId - Identifier of the batch.
   * @param options - Signal, time limit, headers.
   * @returns Totals of a batch.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 404 `batch_not_found`: There is no such batch
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.tts.summary("9002");
   */
  summary<E extends boolean = false>(
    batchId: PathValue,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<VoiceTtsBatchSummaryView, E>> {
    return this.#client.request("GET", "/api/v1/voice/tts-calls/batches/{batchId}/summary", { path: { batchId } }, options);
  }

  /**
   * List the numbers of a batch
   *
   * Returns delivery and cost of every number of a batch, in the order in which the numbers were given.
   *
   * @param batchId - Identifier of the batch.
   * @param query - `status`: Only numbers with this final status.
   * @param options - Signal, time limit, headers.
   * @returns A list. Each item: Delivery and cost of one number of a batch.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 404 `batch_not_found`: There is no such batch
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.tts.numbers(9002);
   */
  numbers<E extends boolean = false>(
    batchId: PathValue,
    query?: ListTtsBatchNumbersQuery,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<VoiceTtsBatchNumberView[], E>> {
    return this.#client.request("GET", "/api/v1/voice/tts-calls/batches/{batchId}/numbers", { path: { batchId }, query }, options);
  }
}

/** Paid upgrades of a merchant's channel. */
export class BillingResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, { "POST /api/v1/billing/upgrade": ["paymentId"] });
  }

  /**
   * Buy units for a merchant's channel
   *
   * Requests a payment and, once it succeeds, adds the units to the channel's credits exactly once. A test tenant's
   * payment is simulated. If no payment processor is configured for a live tenant, the payment stays PENDING, with
   * nothing charged, until the operator records its outcome. Give `units`, `amountCents` or both. If you give one, the
   * price list determines the other; if you give both, they must match the price list. An upgrade may cost at most
   * what the operator allows, by default 10 000 000 cents; a refusal names the maximum. The reply shows the payment's
   * first state. Repeat the request with the same Idempotency-Key to read its outcome; the key is kept until after the
   * payment has ended. Requires a tenant's credential.
   *
   * @param body - Required: `merchantId`, `channel`. Optional: `units`, `amountCents`, `paymentMethodId`, `currency`,
   *   `note`, `referenceId`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A payment for additional units.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.billing.upgrade({
   *   merchantId: "bright-dental",
   *   channel: "SMS",
   *   units: 500,
   *   paymentMethodId: "pm_card_visa",
   *   currency: "USD",
   *   note: "Spring campaign",
   *   referenceId: "po-1187",
   * });
   */
  upgrade<E extends boolean = false>(
    body: V1MerchantUpgradeRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<MerchantUpgradeView, E>> {
    return this.#client.request("POST", "/api/v1/billing/upgrade", { body }, options);
  }
}

/** Warnings about usage and about failing providers. */
export class AlertsResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, { "GET /api/v1/alerts": [["alertType", "createdAt"]] });
  }

  /**
   * List usage and provider alerts
   *
   * Returns alerts, newest first, for all merchants of the tenant or for one. A usage alert is raised at most once per
   * month for each merchant, channel and threshold. With a merchant's credential, returns that merchant's alerts only.
   *
   * @param query - `merchantId`: Only results of this merchant. Default: all merchants that the credential can access.
   * @param options - Signal, time limit, headers.
   * @returns A list. Each item: An alert.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.alerts.list();
   */
  list<E extends boolean = false>(
    query?: ListAlertsQuery,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<AlertView[], E>> {
    return this.#client.request("GET", "/api/v1/alerts", { query }, options);
  }
}

/** Usage and cost of SMS and email. */
export class ReportsResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, { "GET /api/v1/reports/usage": ["from", "to"] });
  }

  /**
   * Read the usage report
   *
   * Returns counts and costs of SMS and email for the whole tenant over a range of days, including the first and the
   * last, in the tenant's time zone. The text-to-speech operations report the cost of voice. Requires a tenant's
   * credential.
   *
   * @param query - `from`: First day, YYYY-MM-DD; not after `to`. Default: the first day of the month of `to`. `to`:
   *   Last day, YYYY-MM-DD, included. Default: today.
   * @param options - Signal, time limit, headers.
   * @returns Counts and costs over a range of days. providerCost + hqMarkup = finalCharges.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_date_range`: Not a valid date range
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.reports.usage();
   */
  usage<E extends boolean = false>(
    query?: GetUsageReportQuery,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<V1UsageReportResponse, E>> {
    return this.#client.request("GET", "/api/v1/reports/usage", { query }, options);
  }
}

/** 10DLC brands, campaigns and numbers of a merchant. */
export class RegistrationResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, {
      "POST /api/v1/merchants/{merchantId}/messaging/brand": ["id", "merchantId"],
      "POST /api/v1/merchants/{merchantId}/messaging/campaign": ["id", "merchantId"],
      "POST /api/v1/merchants/{merchantId}/messaging/numbers": ["id", "merchantId"],
      "POST /api/v1/merchants/{merchantId}/messaging/numbers/{numberId}/assign": ["id", "merchantId"],
      "GET /api/v1/merchants/{merchantId}/messaging/status": ["merchantId", "brands", "campaigns", "numbers"],
    });
  }

  /**
   * Register or update a brand
   *
   * Creates a brand, or updates the given fields of an existing one. A brand is identified by `provider` and
   * `providerBrandId`, otherwise by `externalBrandRef`, otherwise by `provider` and legal name. A given `status` is
   * stored as is, for brands registered elsewhere. Without a `status`, a new brand is reviewed: a test tenant's by a
   * simulation, a live tenant's by the operator of the service. A refused brand is reviewed again once it is changed.
   * `status`, `verificationStatus` and `rawProviderPayload` require a tenant's credential. So does any change to an
   * approved or suspended brand, except to `externalBrandRef` and the contact person. A merchant can have at most 20
   * brands.
   *
   * @param merchantId - Identifier of the merchant.
   * @param body - Required: `legalBusinessName`. Optional: `provider`, `providerBrandId`, `externalBrandRef`,
   *   `businessType`, `websiteUrl`, `street`, `city`, `state`, `postalCode`, `country`, `contactFirstName`,
   *   `contactLastName`, `contactEmail`, `contactPhone`, `status`, `verificationStatus`, `rawProviderPayload`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A brand, the business behind a merchant's messages.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 409 `illegal_transition`: The current state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `registration_limit`: The merchant has reached its registration limit
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.registration.brand("bright-dental", {
   *   legalBusinessName: "Bright Dental LLC",
   *   externalBrandRef: "bright-brand-1",
   *   businessType: "PRIVATE_PROFIT",
   *   websiteUrl: "https://bright-dental.example",
   *   street: "1200 K Street NW",
   *   city: "Washington",
   *   state: "DC",
   *   postalCode: "20005",
   *   country: "US",
   *   contactFirstName: "Dana",
   *   contactLastName: "Reyes",
   *   contactEmail: "dana@bright-dental.example",
   *   contactPhone: "+12025550142",
   * });
   */
  brand<E extends boolean = false>(
    merchantId: string,
    body: V1MerchantMessagingBrandRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<BrandView, E>> {
    return this.#client.request("POST", "/api/v1/merchants/{merchantId}/messaging/brand", { path: { merchantId }, body }, options);
  }

  /**
   * Register or update a campaign
   *
   * Creates a campaign under the merchant's newest approved brand (or its newest brand if none is approved), or
   * updates an existing campaign. A campaign is identified by `provider` and `providerCampaignId`, otherwise by
   * `campaignReference`; without these, a new one is created. Lengths and content are checked by the review, not by
   * this request: `description` 40 to 4096 characters, `messageFlow` 40 to 2048, 2 to 5 `sampleMessages` of 20 to 1024
   * each, and 20 to 320 each for `optInMessage`, `optOutMessage` and `helpMessage`. A test tenant's campaign is
   * reviewed by a simulation, a live tenant's by the operator of the service. A given status is stored as is, for
   * campaigns registered elsewhere. `status`, `reviewStatus`, `reviewFailureCode`, `reviewFailureReason` and
   * `rawProviderPayload` require a tenant's credential. So does any change to a campaign that the registry has
   * accepted, except to `campaignReference` and the keywords. A refused campaign is reviewed again once it is changed.
   * A merchant can have at most 50 campaigns.
   *
   * @param merchantId - Identifier of the merchant.
   * @param body - Required: `useCase`, `description`, `messageFlow`, `sampleMessages`, `optInKeywords`,
   *   `optOutKeywords`, `helpKeywords`, `optInMessage`, `optOutMessage`, `helpMessage`. Optional: `provider`,
   *   `providerCampaignId`, `campaignReference`, `vertical`, `privacyPolicyLink`, `termsAndConditionsLink`, `status`,
   *   `reviewStatus`, `reviewFailureCode`, `reviewFailureReason`, `rawProviderPayload`, `subUseCases`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A campaign: one purpose for which a brand sends messages.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `brand_not_found`: There is no brand
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 409 `campaign_reference_conflict`: The campaign reference is taken
   * @throws {ApiError} 409 `illegal_transition`: The current state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `registration_limit`: The merchant has reached its registration limit
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.registration.campaign("bright-dental", {
   *   useCase: "MIXED",
   *   description: "Appointment reminders and payment receipts for patients of Bright Dental who asked for them.",
   *   messageFlow: "Patients tick a box on the paper or web intake form, below the terms, to receive SMS from Bright Dental.",
   *   sampleMessages: [
   *     "Your visit at Bright Dental is tomorrow at 9:30. Reply STOP to opt out.",
   *     "Bright Dental: we received your payment of $85.00. Thank you.",
   *   ],
   *   optInKeywords: ["START"],
   *   optOutKeywords: ["STOP"],
   *   helpKeywords: ["HELP"],
   *   optInMessage: "Bright Dental: you will receive reminders again. Reply STOP to opt out.",
   *   optOutMessage: "Bright Dental: you are opted out and will receive no more messages.",
   *   helpMessage: "Bright Dental: call +12025550142 for help. Reply STOP to opt out.",
   *   campaignReference: "bright-campaign-1",
   *   vertical: "HEALTHCARE",
   *   privacyPolicyLink: "https://bright-dental.example/privacy",
   *   termsAndConditionsLink: "https://bright-dental.example/terms",
   *   subUseCases: ["CUSTOMER_CARE", "ACCOUNT_NOTIFICATION"],
   * });
   */
  campaign<E extends boolean = false>(
    merchantId: string,
    body: V1MerchantMessagingCampaignRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<CampaignView, E>> {
    return this.#client.request("POST", "/api/v1/merchants/{merchantId}/messaging/campaign", { path: { merchantId }, body }, options);
  }

  /**
   * Register or update a messaging number
   *
   * Creates a number, or updates the given fields of an existing one. A number is identified within the tenant by its
   * E.164 form. With `campaignId`, the number is also assigned, under the rules of the assign operation. A given
   * status is stored as is; `status` and `assignmentStatus` require a tenant's credential. A merchant can have at most
   * 500 numbers.
   *
   * @param merchantId - Identifier of the merchant.
   * @param body - Required: `phoneNumber`. Optional: `provider`, `providerNumberId`, `numberType`, `countryCode`,
   *   `assignmentStatus`, `status`, `capabilities`, `campaignId`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A messaging number of a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `campaign_not_found`: There is no such campaign
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 409 `number_already_registered`: The number is already registered
   * @throws {ApiError} 409 `illegal_transition`: The current state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `registration_limit`: The merchant has reached its registration limit
   * @throws {ApiError} 422 `campaign_number_limit`: The campaign has reached its number limit
   * @throws {ApiError} 422 `number_not_sms_capable`: The number cannot send SMS
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.registration.number("bright-dental", {
   *   phoneNumber: "+12025550142",
   *   provider: "carrier-hub",
   *   providerNumberId: "PN-88120",
   *   numberType: "LOCAL",
   *   countryCode: "US",
   *   capabilities: ["SMS", "VOICE"],
   * });
   */
  number<E extends boolean = false>(
    merchantId: string,
    body: V1MerchantPhoneNumberRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<PhoneNumberView, E>> {
    return this.#client.request("POST", "/api/v1/merchants/{merchantId}/messaging/numbers", { path: { merchantId }, body }, options);
  }

  /**
   * Assign a number to a campaign
   *
   * Starts the assignment. The number becomes ASSIGNED once the carriers confirm it. A campaign can have up to 50
   * numbers, a SOLE_PROPRIETOR campaign only one. The number must have the SMS capability and must not be suspended or
   * released. The campaign must not be failed, expired or suspended.
   *
   * @param merchantId - Identifier of the merchant.
   * @param numberId - Identifier of the registered number.
   * @param body - Required: `campaignId`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A messaging number of a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `number_not_found`: There is no such number
   * @throws {ApiError} 404 `campaign_not_found`: There is no such campaign
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 409 `illegal_transition`: The current state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `campaign_number_limit`: The campaign has reached its number limit
   * @throws {ApiError} 422 `number_not_sms_capable`: The number cannot send SMS
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.registration.assign("bright-dental", 501, { campaignId: 401 });
   */
  assign<E extends boolean = false>(
    merchantId: string,
    numberId: PathValue,
    body: V1MerchantPhoneNumberAssignRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<PhoneNumberView, E>> {
    return this.#client.request("POST", "/api/v1/merchants/{merchantId}/messaging/numbers/{numberId}/assign", { path: { merchantId, numberId }, body }, options);
  }

  /**
   * Show the state of a merchant's registration
   *
   * Returns whether the merchant is ready to send registered SMS, the first missing part if it is not, and all its
   * brands, campaigns and numbers, newest first. A merchant is ready if it has one complete chain: an approved and
   * verified brand, an active campaign of that brand, and an active SMS number assigned to that campaign.
   *
   * @param merchantId - Identifier of the merchant.
   * @param options - Signal, time limit, headers.
   * @returns State of a merchant's 10DLC registration.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.registration.status("bright-dental");
   */
  status<E extends boolean = false>(
    merchantId: string,
    options?: CallOptions<E>,
  ): ApiCall<ReplyData<MerchantSmsRegistrationStatusView, E>> {
    return this.#client.request("GET", "/api/v1/merchants/{merchantId}/messaging/status", { path: { merchantId } }, options);
  }
}

/** SIP settings, users, ring groups and menus, and the directory FreeSWITCH reads. */
export class ProvisioningResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, {
      "GET /api/v1/voice/provisioning": ["tenantId"],
      "GET /api/v1/voice/provisioning/freeswitch/directory/{identifier}": "document",
      "POST /api/v1/voice/provisioning/sip-presence": null,
    });
  }

  /**
   * Read the tenant's voice provisioning
   *
   * Returns SIP host and ports, users with their SIP passwords, numbers, ring groups and menus, as the operator
   * imported them. Requires a tenant's credential. Do not log the reply: it contains passwords.
   *
   * @param options - Signal, time limit, headers.
   * @returns The tenant's settings for softphones, PBXs and switches.
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.provisioning.show();
   */
  show<E extends boolean = false>(options?: CallOptions<E>): ApiCall<ReplyData<V1VoiceProvisioningResponse, E>> {
    return this.#client.request("GET", "/api/v1/voice/provisioning", {}, options);
  }

  /**
   * Read a user's FreeSWITCH directory entry
   *
   * Returns the directory document that FreeSWITCH's mod_xml_curl expects for one SIP user, found by username or
   * extension, with or without `@domain`. If the user is unknown, has voice disabled or has no password, the reply has
   * status 200 and a `not found` result, because FreeSWITCH discards any other status. A phone that registers with its
   * extension is stored under its user's name (the variable `sip-force-user`), so that calls to either reach it.
   *
   * mod_xml_curl cannot send custom headers. Instead of the two headers, this operation therefore also accepts HTTP
   * Basic, with the key as user name and the secret as password. If a request has both, they must belong to the same
   * tenant. Query parameters, of which FreeSWITCH adds many, are ignored and never logged. Requires a tenant's
   * credential.
   *
   * @param identifier - SIP username or extension, with or without @domain.
   * @param options - Signal, time limit, headers.
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 403 `tenant_mismatch`: Credentials of different tenants
   * @throws {ApiError} 404 `route_not_found`: The path does not exist
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.provisioning.directory("1001");
   */
  directory(identifier: string, options?: CallOptions): ApiCall<string> {
    return this.#client.request("GET", "/api/v1/voice/provisioning/freeswitch/directory/{identifier}", { path: { identifier }, accept: "application/xml" }, options);
  }

  /**
   * Report whether a SIP user is registered
   *
   * If `registered` is true, an OFFLINE user becomes AVAILABLE, while ON_BREAK and BUSY stay as they are. If
   * `registered` is false, the user becomes OFFLINE. `browserActive` of the user's ring group entries changes
   * accordingly. Requires a tenant's credential.
   *
   * @param body - Required: `sipUsername`, `registered`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not allow this
   * @throws {ApiError} 404 `sip_user_not_found`: There is no such SIP user
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * await client.provisioning.presence({ sipUsername: "dana", registered: true });
   */
  presence(body: V1VoiceSipPresenceRequest, options?: WriteOptions): ApiCall<undefined> {
    return this.#client.request("POST", "/api/v1/voice/provisioning/sip-presence", { body }, options);
  }
}

/** Simulated replies from recipients, without a phone. */
export class SimulatorResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, { "POST /api/v1/simulator/reply": ["status", "message"] });
  }

  /**
   * Reply to an SMS as its recipient would
   *
   * Treats the text as the recipient's reply to a sent SMS. STOP and its synonyms record an OPT_OUT. START records an
   * OPT_IN, and so does YES if the recipient had opted out. HELP requests help; any other text is only received. A
   * keyword is answered once with the campaign's own confirmation, which is not charged.
   *
   * @param body - Required: `tenantId`, `messageId`, `replyBody`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns The effect of a reply.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request is not valid
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 404 `message_not_found`: There is no such message
   * @throws {ApiError} 409 `idempotency_in_progress`: The first request with this key is still in progress
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `reply_not_supported`: This message does not accept replies
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: The outcome of the request is unknown
   * @throws {ApiError} For every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.simulator.reply({
   *   tenantId: "17",
   *   messageId: "msg_01KJQH7VR0X4T8ZB2M6QWEN9KD",
   *   replyBody: "STOP",
   * });
   */
  reply<E extends boolean = false>(
    body: V1SimulatorReplyRequest,
    options?: WriteOptions<E>,
  ): ApiCall<ReplyData<V1SimulatorReplyResponse, E>> {
    return this.#client.request("POST", "/api/v1/simulator/reply", { body }, options);
  }
}

/** A client with every operation. */
export class ResourceClient extends CoreClient {
  /** The businesses a tenant sends for, each with monthly limits, credits and usage. */
  readonly merchants = new MerchantsResource(this);
  /** Recipients' opt-ins and opt-outs, by merchant, channel and contact. */
  readonly consent = new ConsentResource(this);
  /** Single SMS, calls and emails, sent after the consent and quota checks. */
  readonly send = new SendResource(this);
  /** Spoken messages to one or more numbers, with delivery and cost per call and per batch. */
  readonly tts = new TtsResource(this);
  /** Paid upgrades of a merchant's channel. */
  readonly billing = new BillingResource(this);
  /** Warnings about usage and about failing providers. */
  readonly alerts = new AlertsResource(this);
  /** Usage and cost of SMS and email. */
  readonly reports = new ReportsResource(this);
  /** 10DLC brands, campaigns and numbers of a merchant. */
  readonly registration = new RegistrationResource(this);
  /** SIP settings, users, ring groups and menus, and the directory FreeSWITCH reads. */
  readonly provisioning = new ProvisioningResource(this);
  /** Simulated replies from recipients, without a phone. */
  readonly simulator = new SimulatorResource(this);
}
