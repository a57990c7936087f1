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
   * Creates the merchant, or changes the fields that are given. On creation, omitted limits and credits are 0 and
   * `active` is true; on update, omitted fields stay as they are. Needs a tenant's credential.
   *
   * @param body - Required: `merchantId`, `displayName`. Optional: `active`, `smsLimit`, `voiceMinutesLimit`,
   *   `emailLimit`, `smsCredits`, `voiceMinutesCredits`, `emailCredits`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A merchant with its limits, credits and the usage of the current month.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Every merchant of the tenant with limits, credits and this month's usage, ordered by merchantId. A merchant's
   * credential sees its own merchant only.
   *
   * @param options - Signal, time limit, headers.
   * @returns A list of: A merchant with its limits, credits and the usage of the current month.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Limits, credits and this month's usage of one merchant.
   *
   * @param merchantId - Identifier of the merchant.
   * @param options - Signal, time limit, headers.
   * @returns A merchant with its limits, credits and the usage of the current month.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.merchants.get("bright-dental");
   */
  get<E extends boolean = false>(merchantId: string, options?: CallOptions<E>): ApiCall<ReplyData<MerchantView, E>> {
    return this.#client.request("GET", "/api/v1/merchants/{merchantId}", { path: { merchantId } }, options);
  }
}

/** What recipients agreed to, by merchant, channel and contact. */
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
   * Creates or replaces the consent of one contact for one merchant and channel. Earlier answers are kept as history.
   * Works for an inactive merchant too, so that an opt-out is never lost. MARKETING needs an OPT_IN on every channel,
   * REMINDER by SMS and voice, TRANSACTIONAL by voice. An OPT_OUT stops everything, except TRANSACTIONAL and OTP by
   * email.
   *
   * @param body - Required: `merchantId`, `channel`, `contact`, `status`. Optional: `source`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns What one contact decided for one merchant and channel.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * The present consent of every contact, for all merchants of the tenant or for one, ordered by merchant, channel and
   * contact. A merchant's credential sees its own merchant's only.
   *
   * @param query - `merchantId`: Only this merchant's. Omitted: every merchant the credential may see.
   * @param options - Signal, time limit, headers.
   * @returns A list of: What one contact decided for one merchant and channel.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Checks consent and quota, reserves one unit for each segment (160 GSM-7 characters, or 70 of any other script; 153
   * and 67 when there are several) and queues the message. The reply comes once it is safely stored. Repeat the call
   * with the same Idempotency-Key to read how the message fares.
   *
   * @param body - Required: `merchantId`, `to`, `message`, `type`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message that was accepted for a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_required`: The recipient has not opted in
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Checks consent and quota, reserves the estimated minutes and queues a call that speaks the text. Minutes are
   * charged by the answered time, each begun minute whole; an unanswered call is free. A MARKETING call outside 08:00
   * to 21:00 at the recipient stays QUEUED until the next 08:00.
   *
   * @param body - Required: `merchantId`, `to`, `text`, `type`. Optional: `record`, `timeoutSeconds`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message that was accepted for a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_required`: The recipient has not opted in
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * @returns A message that was accepted for a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_required`: The recipient has not opted in
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Sends a TRANSACTIONAL SMS for the tenant's default merchant (`default`, made with the tenant), under the same
   * rules, segments and quota as any other SMS: only an opt-out refuses it. Needs a tenant's credential.
   *
   * @param body - Required: `to`, `message`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message that was accepted for the default merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `consent_opted_out`: The recipient opted out
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Sends a TRANSACTIONAL email for the tenant's default merchant (`default`, made with the tenant), under the same
   * quota as any other email. Transactional email needs no consent. Needs a tenant's credential.
   *
   * @param body - Required: `to`, `body`. Optional: `subject`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A message that was accepted for the default merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 402 `quota_exceeded`: The quota is used up
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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

/** Spoken messages to one number or many, with delivery and cost by call and by batch. */
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
   * Speak a text to one number or many
   *
   * Turns the text into speech once and calls every number of `toNumber` and `toNumbers` together, duplicates removed;
   * at least one number is needed. One malformed number refuses the whole request. A number refused by consent or
   * quota becomes a REJECTED call with its `policyReason`; only when all are refused is the request refused, with
   * `all_recipients_refused`. Marketing calls outside 08:00 to 21:00 at the recipient are scheduled for the next
   * 08:00. Consent and quota are asked again then, and can still refuse a call; one whose merchant has been made
   * inactive meanwhile is FAILED and says so in its `error`.
   *
   * @param body - Required: `merchantId`, `messageText`, `useCase`. Optional: `platformAccountId`, `tenantId`,
   *   `sourceSystem`, `campaignId`, `campaignName`, `toNumber`, `toNumbers`, `language`, `voiceProfile`,
   *   `customerTimezone`, `priority`, `callbackUrl`, `idempotencyKey`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns An accepted batch of calls; a single number makes a batch of one.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `invalid_timezone`: Not a known time zone
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 400 `idempotency_key_conflict`: Two different idempotency keys
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `all_recipients_refused`: Every recipient was refused
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * The newest calls first, up to `limit`. Filters combine: a call must match all that are given. A merchant's
   * credential sees its own merchant's only.
   *
   * @param query - `merchantId`: Only this merchant's. Omitted: every merchant the credential may see. `tenantId`:
   *   Only calls with exactly this sub-tenant label. `sourceSystem`: Only calls with exactly this source system label.
   *   `useCase`: Only calls with this use case, upper and lower case alike. `limit`: How many calls to return at most,
   *   1 to 500. Omitted: 50.
   * @param options - Signal, time limit, headers.
   * @returns A list of: One call with its delivery, usage and cost.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * One call with its delivery, its speech and call usage, and its cost. A merchant's credential finds its own
   * merchant's calls only.
   *
   * @param requestId - Identifier of the call.
   * @param options - Signal, time limit, headers.
   * @returns One call with its delivery, usage and cost.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 404 `call_not_found`: There is no such call
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * How far a batch is and what it costs. Always holds: success + failed + partial + pending + scheduled = totalCalls;
   * finalizedCount + provisionalCount = totalCalls; totalTtsCost + totalCallCost = provisionalCost + finalizedCost =
   * totalCost.
   *
   * @param batchId - Identifier of the batch.
   * @param options - Signal, time limit, headers.
   * @returns Totals of a batch.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 404 `batch_not_found`: There is no such batch
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Delivery and cost of every number of a batch, in the order the numbers were given.
   *
   * @param batchId - Identifier of the batch.
   * @param query - `status`: Only numbers with this final status.
   * @param options - Signal, time limit, headers.
   * @returns A list of: Delivery and cost of one number of a batch.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 404 `batch_not_found`: There is no such batch
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Asks for a payment and, once it succeeds, adds the units to the channel's credits, exactly once. A test tenant's
   * payment is simulated. Where no payment processor is set up for a live tenant, it stays PENDING, with nothing
   * charged, until the operator says how it ended. Give `units`, `amountCents` or both: one gives the other by the
   * price list, and both must agree with it. One upgrade costs at most what the operator allows, 10 000 000 cents by
   * default; past that it is refused with the most named. The reply is the payment's first state; repeat the call with
   * the same Idempotency-Key, which is kept until after the payment's end, to read how it ended. Needs a tenant's
   * credential.
   *
   * @param body - Required: `merchantId`, `channel`. Optional: `units`, `amountCents`, `paymentMethodId`, `currency`,
   *   `note`, `referenceId`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A payment for more units.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `merchant_inactive`: The merchant is not active
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Alerts, newest first, for all merchants of the tenant or for one. A usage alert is raised once a month for each
   * merchant, channel and threshold. A merchant's credential sees its own merchant's only.
   *
   * @param query - `merchantId`: Only this merchant's. Omitted: every merchant the credential may see.
   * @param options - Signal, time limit, headers.
   * @returns A list of: One alert.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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

/** What was sent and what it cost. */
export class ReportsResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, { "GET /api/v1/reports/usage": ["from", "to"] });
  }

  /**
   * Read what was sent and what it cost
   *
   * Counts and costs of SMS and email of the whole tenant over a range of days, both ends included, in the tenant's
   * time zone. Voice costs stand in the text-to-speech views. Needs a tenant's credential.
   *
   * @param query - `from`: First day, YYYY-MM-DD; not after `to`. Omitted: the first day of the month of `to`. `to`:
   *   Last day, YYYY-MM-DD, included. Omitted: today.
   * @param options - Signal, time limit, headers.
   * @returns Counts and costs over a range of days. providerCost + hqMarkup = finalCharges.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_date_range`: Not a valid date range
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Creates the brand, or changes the fields that are given. The same brand is known by provider and providerBrandId,
   * else by externalBrandRef, else by provider and legal name. A status you give is stored as it is, for brands
   * registered elsewhere; without one the brand goes to review. A test tenant's review is simulated, a live tenant's
   * is made by the operator of the service. A refused brand goes to review again once it is changed. `status`,
   * `verificationStatus` and `rawProviderPayload` need a tenant's credential, and so does a change of an approved or
   * suspended brand, but for `externalBrandRef` and the contact. A merchant has at most 20 brands.
   *
   * @param merchantId - Identifier of the merchant.
   * @param body - Required: `legalBusinessName`. Optional: `provider`, `providerBrandId`, `externalBrandRef`,
   *   `businessType`, `websiteUrl`, `street`, `city`, `state`, `postalCode`, `country`, `contactFirstName`,
   *   `contactLastName`, `contactEmail`, `contactPhone`, `status`, `verificationStatus`, `rawProviderPayload`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A brand, the business behind a merchant's messages.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `invalid_email`: Not a valid email address
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 409 `illegal_transition`: The present state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `registration_limit`: The merchant has all the registrations it may have
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Creates the campaign under the merchant's newest approved brand, else its newest, or changes it. The same campaign
   * is known by provider and providerCampaignId, else by campaignReference, else it is new. Lengths and content are
   * judged at review: description 40 to 4096 characters, messageFlow 40 to 2048, 2 to 5 samples of 20 to 1024, the
   * three messages 20 to 320 each. A test tenant's review is simulated, a live tenant's is made by the operator of the
   * service. A status you give is stored as it is, for campaigns registered elsewhere. `status`, `reviewStatus`,
   * `reviewFailureCode`, `reviewFailureReason` and `rawProviderPayload` need a tenant's credential, and so does a
   * change of a campaign that the registry has accepted, but for its reference and keywords; one that was refused goes
   * to review again once it is changed. A merchant has at most 50 campaigns.
   *
   * @param merchantId - Identifier of the merchant.
   * @param body - Required: `useCase`, `description`, `messageFlow`, `sampleMessages`, `optInKeywords`,
   *   `optOutKeywords`, `helpKeywords`, `optInMessage`, `optOutMessage`, `helpMessage`. Optional: `provider`,
   *   `providerCampaignId`, `campaignReference`, `vertical`, `privacyPolicyLink`, `termsAndConditionsLink`, `status`,
   *   `reviewStatus`, `reviewFailureCode`, `reviewFailureReason`, `rawProviderPayload`, `subUseCases`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A campaign, one purpose for which a brand sends.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `brand_not_found`: There is no brand
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 409 `campaign_reference_conflict`: The campaign reference is taken
   * @throws {ApiError} 409 `illegal_transition`: The present state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `registration_limit`: The merchant has all the registrations it may have
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Creates the number, or changes the fields that are given; it is known by its E.164 form within the tenant. With
   * `campaignId` it is assigned as well, under the rules of the assign operation. A status you give is stored as it
   * is; `status` and `assignmentStatus` need a tenant's credential. A merchant has at most 500 numbers.
   *
   * @param merchantId - Identifier of the merchant.
   * @param body - Required: `phoneNumber`. Optional: `provider`, `providerNumberId`, `numberType`, `countryCode`,
   *   `assignmentStatus`, `status`, `capabilities`, `campaignId`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A messaging number of a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `invalid_phone_number`: Not a valid phone number
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `campaign_not_found`: There is no such campaign
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 409 `number_already_registered`: The number is already registered
   * @throws {ApiError} 409 `illegal_transition`: The present state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `registration_limit`: The merchant has all the registrations it may have
   * @throws {ApiError} 422 `campaign_number_limit`: The campaign has all the numbers it may have
   * @throws {ApiError} 422 `number_not_sms_capable`: The number cannot send SMS
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Starts the assignment; the number becomes ASSIGNED once the carriers confirm. A campaign takes up to 50 numbers, a
   * SOLE_PROPRIETOR one a single number. The number must be able to send SMS and be neither suspended nor released;
   * the campaign must be neither failed, expired nor suspended.
   *
   * @param merchantId - Identifier of the merchant.
   * @param numberId - Identifier of the registered number.
   * @param body - Required: `campaignId`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns A messaging number of a merchant.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `number_not_found`: There is no such number
   * @throws {ApiError} 404 `campaign_not_found`: There is no such campaign
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 409 `illegal_transition`: The present state does not allow this
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `campaign_number_limit`: The campaign has all the numbers it may have
   * @throws {ApiError} 422 `number_not_sms_capable`: The number cannot send SMS
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * Whether the merchant is ready to send registered SMS, what stands in the way if not, and all its brands, campaigns
   * and numbers, newest first. Ready means that one whole chain is good: an approved and verified brand, an active
   * campaign of it, and an active SMS number assigned to that campaign.
   *
   * @param merchantId - Identifier of the merchant.
   * @param options - Signal, time limit, headers.
   * @returns How far a merchant's 10DLC registration is.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `merchant_not_found`: There is no such merchant
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * SIP host and ports, users with their SIP passwords, numbers, ring groups and menus, as the operator imported them.
   * Needs a tenant's credential. Keep the reply out of logs: it holds passwords.
   *
   * @param options - Signal, time limit, headers.
   * @returns Everything a softphone, a PBX and a switch need to know of a tenant.
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
   * The directory document that FreeSWITCH's mod_xml_curl takes for one SIP user, found by username or extension, with
   * or without `@domain`. An unknown user, one whose voice is off and one without a password are answered with status
   * 200 and a `not found` result, because FreeSWITCH discards any other status. A phone that registers as its
   * extension is kept under its user's name (the variable `sip-force-user`), so that it is reached by both.
   *
   * As mod_xml_curl cannot send headers of its own, this one route also accepts HTTP Basic, with the key as user name
   * and the secret as password, in place of the two headers. Sent together, both must belong to the same tenant. Query
   * parameters, of which FreeSWITCH adds many, are ignored and never logged. Needs a tenant's credential.
   *
   * @param identifier - SIP username or extension, with or without @domain.
   * @param options - Signal, time limit, headers.
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 403 `tenant_mismatch`: Credentials of different tenants
   * @throws {ApiError} 404 `route_not_found`: There is no such path
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * const reply = await client.provisioning.directory("1001");
   */
  directory(identifier: string, options?: CallOptions): ApiCall<string> {
    return this.#client.request("GET", "/api/v1/voice/provisioning/freeswitch/directory/{identifier}", { path: { identifier }, accept: "application/xml" }, options);
  }

  /**
   * Report that a SIP user registered or left
   *
   * Registered makes an OFFLINE user AVAILABLE and leaves ON_BREAK and BUSY as they are; not registered makes the user
   * OFFLINE. `browserActive` of the user's ring group entries follows. Needs a tenant's credential.
   *
   * @param body - Required: `sipUsername`, `registered`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 403 `merchant_scope_denied`: The credential does not reach this far
   * @throws {ApiError} 404 `sip_user_not_found`: There is no such SIP user
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
   *   `credentials_revoked`, `method_not_allowed`, `not_acceptable`, `request_timeout`, `rate_limited`,
   *   `headers_too_large`, `internal_error`, `unavailable`
   * @example
   * await client.provisioning.presence({ sipUsername: "dana", registered: true });
   */
  presence(body: V1VoiceSipPresenceRequest, options?: WriteOptions): ApiCall<undefined> {
    return this.#client.request("POST", "/api/v1/voice/provisioning/sip-presence", { body }, options);
  }
}

/** Replies from recipients, without a phone. */
export class SimulatorResource {
  readonly #client: CoreClient;

  constructor(client: CoreClient) {
    this.#client = withIdentities(client, { "POST /api/v1/simulator/reply": ["status", "message"] });
  }

  /**
   * Reply to an SMS as its recipient would
   *
   * Treats the text as the recipient's answer to a sent SMS. STOP and its like record an OPT_OUT, START (and YES from
   * one who opted out) an OPT_IN, HELP asks for help, anything else is just received. A keyword is answered once with
   * the campaign's own confirmation, which is not charged.
   *
   * @param body - Required: `tenantId`, `messageId`, `replyBody`.
   * @param options - Idempotency key, signal, time limit, headers.
   * @returns What a reply brought about.
   * @throws {ApiError} 400 `malformed_json`: The body is not valid JSON
   * @throws {ApiError} 400 `validation_error`: The request does not fit the contract
   * @throws {ApiError} 400 `idempotency_key_invalid`: The idempotency key is not valid
   * @throws {ApiError} 404 `message_not_found`: There is no such message
   * @throws {ApiError} 409 `idempotency_in_progress`: The first call with this key is still running
   * @throws {ApiError} 413 `payload_too_large`: The body is too large
   * @throws {ApiError} 415 `unsupported_media_type`: The media type is not supported
   * @throws {ApiError} 422 `reply_not_supported`: This message takes no reply
   * @throws {ApiError} 422 `idempotency_key_reused`: The key was used with another payload
   * @throws {ApiError} 503 `outcome_unknown`: Whether the request took effect is not known
   * @throws {ApiError} As every operation: `malformed_http`, `credentials_missing`, `credentials_invalid`,
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
  /** What recipients agreed to, by merchant, channel and contact. */
  readonly consent = new ConsentResource(this);
  /** Single SMS, calls and emails, sent after the consent and quota checks. */
  readonly send = new SendResource(this);
  /** Spoken messages to one number or many, with delivery and cost by call and by batch. */
  readonly tts = new TtsResource(this);
  /** Paid upgrades of a merchant's channel. */
  readonly billing = new BillingResource(this);
  /** Warnings about usage and about failing providers. */
  readonly alerts = new AlertsResource(this);
  /** What was sent and what it cost. */
  readonly reports = new ReportsResource(this);
  /** 10DLC brands, campaigns and numbers of a merchant. */
  readonly registration = new RegistrationResource(this);
  /** SIP settings, users, ring groups and menus, and the directory FreeSWITCH reads. */
  readonly provisioning = new ProvisioningResource(this);
  /** Replies from recipients, without a phone. */
  readonly simulator = new SimulatorResource(this);
}
