// Generated from openapi.yaml by npm run generate. Do not edit.

import type { components, paths } from "@msgctl/contract";

type Schemas = components["schemas"];

/** Identifier you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or `:`. */
export type MerchantId = Schemas["MerchantId"];

/** A phone number in E.164: `+`, country code and number, without spaces or extension. */
export type PhoneNumber = Schemas["PhoneNumber"];

/** One plain email address of at most 254 characters. Upper and lower case are the same; a `+tag` is kept. */
export type EmailAddress = Schemas["EmailAddress"];

/** 1 to 255 printable ASCII characters. */
export type IdempotencyKey = Schemas["IdempotencyKey"];

/** Identifier of a message: `msg_` and a ULID. */
export type MessageId = Schemas["MessageId"];

/** An amount in US dollars with at most six decimals. */
export type UsdAmount = Schemas["UsdAmount"];

/** A way to reach a recipient. */
export type Channel = Schemas["Channel"];

/** A way to reach a recipient. */
export const Channel = { SMS: "SMS", VOICE: "VOICE", EMAIL: "EMAIL" } as const;

/** Whether the recipient agreed or refused. */
export type ConsentStatus = Schemas["ConsentStatus"];

/** Whether the recipient agreed or refused. */
export const ConsentStatus = { OPT_IN: "OPT_IN", OPT_OUT: "OPT_OUT" } as const;

/**
 * What a message is for; it decides which consent is needed. OTP: a one-time passcode. TRANSACTIONAL: about
 * something the recipient did. REMINDER: about something to come. MARKETING: everything promotional.
 */
export type MessageType = Schemas["MessageType"];

/**
 * What a message is for; it decides which consent is needed. OTP: a one-time passcode. TRANSACTIONAL: about
 * something the recipient did. REMINDER: about something to come. MARKETING: everything promotional.
 */
export const MessageType = {
  OTP: "OTP",
  REMINDER: "REMINDER",
  MARKETING: "MARKETING",
  TRANSACTIONAL: "TRANSACTIONAL",
} as const;

/**
 * QUEUED: accepted, or put off by a provider. SENDING: being handed to a provider, or handed over and unanswered.
 * SENT: a provider has it. DELIVERED and UNDELIVERED: the delivery receipt. FAILED: no provider took it, nothing is
 * charged. EXPIRED: it came too late. CANCELED: withdrawn. UNKNOWN: no final word within 72 hours; a late receipt
 * may still decide.
 */
export type MessageStatus = Schemas["MessageStatus"];

/**
 * QUEUED: accepted, or put off by a provider. SENDING: being handed to a provider, or handed over and unanswered.
 * SENT: a provider has it. DELIVERED and UNDELIVERED: the delivery receipt. FAILED: no provider took it, nothing is
 * charged. EXPIRED: it came too late. CANCELED: withdrawn. UNKNOWN: no final word within 72 hours; a late receipt
 * may still decide.
 */
export const MessageStatus = {
  QUEUED: "QUEUED",
  SENDING: "SENDING",
  SENT: "SENT",
  DELIVERED: "DELIVERED",
  UNDELIVERED: "UNDELIVERED",
  FAILED: "FAILED",
  EXPIRED: "EXPIRED",
  CANCELED: "CANCELED",
  UNKNOWN: "UNKNOWN",
} as const;

/** ISO 4217 currency code. */
export type Currency = Schemas["Currency"];

/** ISO 4217 currency code. */
export const Currency = { USD: "USD" } as const;

/**
 * PENDING: requested. REQUIRES_ACTION: the payer must confirm. PROCESSING: under way. SUCCEEDED: paid, and the
 * credits are added. FAILED: refused. CANCELED: withdrawn.
 */
export type PaymentStatus = Schemas["PaymentStatus"];

/**
 * PENDING: requested. REQUIRES_ACTION: the payer must confirm. PROCESSING: under way. SUCCEEDED: paid, and the
 * credits are added. FAILED: refused. CANCELED: withdrawn.
 */
export const PaymentStatus = {
  PENDING: "PENDING",
  REQUIRES_ACTION: "REQUIRES_ACTION",
  PROCESSING: "PROCESSING",
  SUCCEEDED: "SUCCEEDED",
  FAILED: "FAILED",
  CANCELED: "CANCELED",
} as const;

/**
 * USAGE_THRESHOLD: a share of the monthly limit is used. PROVIDER_FAILURE: a carrier, or for calls the maker of
 * speech, failed 5 times in a row or 4 of the last 20 times; raised once while that lasts.
 */
export type AlertType = Schemas["AlertType"];

/**
 * USAGE_THRESHOLD: a share of the monthly limit is used. PROVIDER_FAILURE: a carrier, or for calls the maker of
 * speech, failed 5 times in a row or 4 of the last 20 times; raised once while that lasts.
 */
export const AlertType = { USAGE_THRESHOLD: "USAGE_THRESHOLD", PROVIDER_FAILURE: "PROVIDER_FAILURE" } as const;

/** For usage, INFO at 50 %, WARNING at 80 and 90 %, CRITICAL at 100 %. */
export type AlertSeverity = Schemas["AlertSeverity"];

/** For usage, INFO at 50 %, WARNING at 80 and 90 %, CRITICAL at 100 %. */
export const AlertSeverity = { INFO: "INFO", WARNING: "WARNING", CRITICAL: "CRITICAL" } as const;

/** PROVISIONAL: some costs may still change. FINAL: safe to bill. */
export type FreshnessState = Schemas["FreshnessState"];

/** PROVISIONAL: some costs may still change. FINAL: safe to bill. */
export const FreshnessState = { PROVISIONAL: "PROVISIONAL", FINAL: "FINAL" } as const;

/**
 * PERIOD_OPEN: the range is not over. PROVIDER_FINALIZATION_PENDING: some messages have no final state yet. SETTLED:
 * everything is final. NO_USAGE: nothing was sent.
 */
export type FreshnessReason = Schemas["FreshnessReason"];

/**
 * PERIOD_OPEN: the range is not over. PROVIDER_FINALIZATION_PENDING: some messages have no final state yet. SETTLED:
 * everything is final. NO_USAGE: nothing was sent.
 */
export const FreshnessReason = {
  PROVIDER_FINALIZATION_PENDING: "PROVIDER_FINALIZATION_PENDING",
  PERIOD_OPEN: "PERIOD_OPEN",
  SETTLED: "SETTLED",
  NO_USAGE: "NO_USAGE",
} as const;

/**
 * QUEUED: nothing has begun. SCHEDULED: every call waits for its time. IN_PROGRESS: some are open. COMPLETED: all
 * done, none failed. COMPLETED_WITH_ERRORS: all done, some failed. FAILED: all failed.
 */
export type TtsBatchStatus = Schemas["TtsBatchStatus"];

/**
 * QUEUED: nothing has begun. SCHEDULED: every call waits for its time. IN_PROGRESS: some are open. COMPLETED: all
 * done, none failed. COMPLETED_WITH_ERRORS: all done, some failed. FAILED: all failed.
 */
export const TtsBatchStatus = {
  QUEUED: "QUEUED",
  SCHEDULED: "SCHEDULED",
  IN_PROGRESS: "IN_PROGRESS",
  COMPLETED: "COMPLETED",
  COMPLETED_WITH_ERRORS: "COMPLETED_WITH_ERRORS",
  FAILED: "FAILED",
} as const;

/**
 * How far a call is, in order. SCHEDULED: waits for its time. QUEUED: about to start. SYNTHESIZING: the speech is
 * being made. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: over. FAILED: it could not be
 * made or did not get through. REJECTED: consent or quota refused it. CANCELED: withdrawn.
 */
export type TtsCallStatus = Schemas["TtsCallStatus"];

/**
 * How far a call is, in order. SCHEDULED: waits for its time. QUEUED: about to start. SYNTHESIZING: the speech is
 * being made. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: over. FAILED: it could not be
 * made or did not get through. REJECTED: consent or quota refused it. CANCELED: withdrawn.
 */
export const TtsCallStatus = {
  QUEUED: "QUEUED",
  SCHEDULED: "SCHEDULED",
  SYNTHESIZING: "SYNTHESIZING",
  DIALING: "DIALING",
  IN_PROGRESS: "IN_PROGRESS",
  COMPLETED: "COMPLETED",
  FAILED: "FAILED",
  REJECTED: "REJECTED",
  CANCELED: "CANCELED",
} as const;

/**
 * State of the telephone call itself. QUEUED: not dialled yet. INITIATED, RINGING, IN_PROGRESS: dialled, ringing,
 * answered. It ends COMPLETED, BUSY, NO_ANSWER, FAILED or CANCELED.
 */
export type CallStatus = Schemas["CallStatus"];

/**
 * State of the telephone call itself. QUEUED: not dialled yet. INITIATED, RINGING, IN_PROGRESS: dialled, ringing,
 * answered. It ends COMPLETED, BUSY, NO_ANSWER, FAILED or CANCELED.
 */
export const CallStatus = {
  QUEUED: "QUEUED",
  INITIATED: "INITIATED",
  RINGING: "RINGING",
  IN_PROGRESS: "IN_PROGRESS",
  COMPLETED: "COMPLETED",
  BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  FAILED: "FAILED",
  CANCELED: "CANCELED",
} as const;

/**
 * How much of the speech was played: NOT_STARTED, PLAYING, then COMPLETED (to the end), PARTIAL (cut off) or FAILED
 * (it could not be played).
 */
export type PlaybackStatus = Schemas["PlaybackStatus"];

/**
 * How much of the speech was played: NOT_STARTED, PLAYING, then COMPLETED (to the end), PARTIAL (cut off) or FAILED
 * (it could not be played).
 */
export const PlaybackStatus = {
  NOT_STARTED: "NOT_STARTED",
  PLAYING: "PLAYING",
  COMPLETED: "COMPLETED",
  PARTIAL: "PARTIAL",
  FAILED: "FAILED",
} as const;

/**
 * SUCCESS: a person heard it all. PARTIAL: voicemail, or hung up while it played. FAILED: neither. PENDING and
 * SCHEDULED: not over yet.
 */
export type FinalStatus = Schemas["FinalStatus"];

/**
 * SUCCESS: a person heard it all. PARTIAL: voicemail, or hung up while it played. FAILED: neither. PENDING and
 * SCHEDULED: not over yet.
 */
export const FinalStatus = {
  PENDING: "PENDING",
  SCHEDULED: "SCHEDULED",
  SUCCESS: "SUCCESS",
  PARTIAL: "PARTIAL",
  FAILED: "FAILED",
} as const;

/** PROVISIONAL until the call is over and priced; then FINALIZED. */
export type BillingState = Schemas["BillingState"];

/** PROVISIONAL until the call is over and priced; then FINALIZED. */
export const BillingState = { PROVISIONAL: "PROVISIONAL", FINALIZED: "FINALIZED" } as const;

/** HIT: the speech existed already and costs nothing. MISS: it was made for this call. PENDING: not decided. */
export type TtsCacheStatus = Schemas["TtsCacheStatus"];

/** HIT: the speech existed already and costs nothing. MISS: it was made for this call. PENDING: not decided. */
export const TtsCacheStatus = { PENDING: "PENDING", HIT: "HIT", MISS: "MISS" } as const;

/** Whether a call starts at once or at a set time. */
export type ExecutionType = Schemas["ExecutionType"];

/** Whether a call starts at once or at a set time. */
export const ExecutionType = { IMMEDIATE: "IMMEDIATE", SCHEDULED: "SCHEDULED" } as const;

/** Order in the queue; nothing else depends on it. */
export type TtsPriority = Schemas["TtsPriority"];

/** Order in the queue; nothing else depends on it. */
export const TtsPriority = { LOW: "LOW", NORMAL: "NORMAL", HIGH: "HIGH" } as const;

/**
 * Why a rule delayed or refused a call. QUIET_HOURS: delayed to 08:00 at the recipient. TIMEZONE_INFERRED: delayed
 * until it is day in every zone that the recipient may be in, as the number tells no more than a country of several.
 * The others: refused.
 */
export type PolicyReason = Schemas["PolicyReason"];

/**
 * Why a rule delayed or refused a call. QUIET_HOURS: delayed to 08:00 at the recipient. TIMEZONE_INFERRED: delayed
 * until it is day in every zone that the recipient may be in, as the number tells no more than a country of several.
 * The others: refused.
 */
export const PolicyReason = {
  QUIET_HOURS: "QUIET_HOURS",
  TIMEZONE_INFERRED: "TIMEZONE_INFERRED",
  CONSENT_REQUIRED: "CONSENT_REQUIRED",
  CONSENT_OPTED_OUT: "CONSENT_OPTED_OUT",
  QUOTA_EXCEEDED: "QUOTA_EXCEEDED",
} as const;

/**
 * Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of reach), BLOCKED (by the recipient or
 * the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (taken for spam), CARRIER_UNKNOWN (the
 * carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER,
 * VOICEMAIL, HANGUP (while it played), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be made).
 */
export type DeliveryReason = Schemas["DeliveryReason"];

/**
 * Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of reach), BLOCKED (by the recipient or
 * the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (taken for spam), CARRIER_UNKNOWN (the
 * carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER,
 * VOICEMAIL, HANGUP (while it played), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be made).
 */
export const DeliveryReason = {
  UNREACHABLE: "UNREACHABLE",
  BLOCKED: "BLOCKED",
  UNKNOWN_HANDSET: "UNKNOWN_HANDSET",
  LANDLINE: "LANDLINE",
  CARRIER_FILTERED: "CARRIER_FILTERED",
  CARRIER_UNKNOWN: "CARRIER_UNKNOWN",
  UNREGISTERED_SENDER: "UNREGISTERED_SENDER",
  TTL_EXPIRED: "TTL_EXPIRED",
  OPTED_OUT: "OPTED_OUT",
  BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  VOICEMAIL: "VOICEMAIL",
  HANGUP: "HANGUP",
  FAX: "FAX",
  INVALID_NUMBER: "INVALID_NUMBER",
  TTS_FAILED: "TTS_FAILED",
} as const;

/** TTS: speech made from text. CALL: telephone minutes. */
export type UsageType = Schemas["UsageType"];

/** TTS: speech made from text. CALL: telephone minutes. */
export const UsageType = { TTS: "TTS", CALL: "CALL" } as const;

/** What a quantity counts. */
export type UsageUnit = Schemas["UsageUnit"];

/** What a quantity counts. */
export const UsageUnit = { CHARACTER: "CHARACTER", MINUTE: "MINUTE" } as const;

/** Legal form of a brand's business. */
export type BusinessType = Schemas["BusinessType"];

/** Legal form of a brand's business. */
export const BusinessType = {
  PRIVATE_PROFIT: "PRIVATE_PROFIT",
  PUBLIC_PROFIT: "PUBLIC_PROFIT",
  NON_PROFIT: "NON_PROFIT",
  GOVERNMENT: "GOVERNMENT",
  SOLE_PROPRIETOR: "SOLE_PROPRIETOR",
} as const;

/**
 * How far a brand is. DRAFT: not submitted. PENDING: submitted. IN_REVIEW: being looked at. APPROVED: campaigns may
 * use it. FAILED: refused. SUSPENDED: stopped after approval.
 */
export type BrandStatus = Schemas["BrandStatus"];

/**
 * How far a brand is. DRAFT: not submitted. PENDING: submitted. IN_REVIEW: being looked at. APPROVED: campaigns may
 * use it. FAILED: refused. SUSPENDED: stopped after approval.
 */
export const BrandStatus = {
  DRAFT: "DRAFT",
  PENDING: "PENDING",
  IN_REVIEW: "IN_REVIEW",
  APPROVED: "APPROVED",
  FAILED: "FAILED",
  SUSPENDED: "SUSPENDED",
} as const;

/**
 * How well the brand is identified. SELF_DECLARED: by its own word. UNVERIFIED: not, or not yet. VERIFIED: by the
 * registry. VETTED_VERIFIED: by a vetting agency as well.
 */
export type BrandVerificationStatus = Schemas["BrandVerificationStatus"];

/**
 * How well the brand is identified. SELF_DECLARED: by its own word. UNVERIFIED: not, or not yet. VERIFIED: by the
 * registry. VETTED_VERIFIED: by a vetting agency as well.
 */
export const BrandVerificationStatus = {
  SELF_DECLARED: "SELF_DECLARED",
  UNVERIFIED: "UNVERIFIED",
  VERIFIED: "VERIFIED",
  VETTED_VERIFIED: "VETTED_VERIFIED",
} as const;

/** A use case of The Campaign Registry. */
export type CampaignUseCase = Schemas["CampaignUseCase"];

/** A use case of The Campaign Registry. */
export const CampaignUseCase = {
  "2FA": "2FA",
  ACCOUNT_NOTIFICATION: "ACCOUNT_NOTIFICATION",
  CUSTOMER_CARE: "CUSTOMER_CARE",
  DELIVERY_NOTIFICATION: "DELIVERY_NOTIFICATION",
  FRAUD_ALERT: "FRAUD_ALERT",
  HIGHER_EDUCATION: "HIGHER_EDUCATION",
  LOW_VOLUME: "LOW_VOLUME",
  M2M: "M2M",
  MARKETING: "MARKETING",
  MIXED: "MIXED",
  POLLING_VOTING: "POLLING_VOTING",
  PUBLIC_SERVICE_ANNOUNCEMENT: "PUBLIC_SERVICE_ANNOUNCEMENT",
  SECURITY_ALERT: "SECURITY_ALERT",
  AGENTS_FRANCHISES: "AGENTS_FRANCHISES",
  CARRIER_EXEMPT: "CARRIER_EXEMPT",
  CHARITY: "CHARITY",
  EMERGENCY: "EMERGENCY",
  K12_EDUCATION: "K12_EDUCATION",
  POLITICAL: "POLITICAL",
  PROXY: "PROXY",
  SOCIAL: "SOCIAL",
  SOLE_PROPRIETOR: "SOLE_PROPRIETOR",
  SWEEPSTAKE: "SWEEPSTAKE",
} as const;

/**
 * How far a campaign is. PENDING: in review. ACTIVE: may be used. EXPIRED: not renewed. SUSPENDED: stopped. FAILED:
 * refused.
 */
export type CampaignStatus = Schemas["CampaignStatus"];

/**
 * How far a campaign is. PENDING: in review. ACTIVE: may be used. EXPIRED: not renewed. SUSPENDED: stopped. FAILED:
 * refused.
 */
export const CampaignStatus = {
  PENDING: "PENDING",
  ACTIVE: "ACTIVE",
  EXPIRED: "EXPIRED",
  SUSPENDED: "SUSPENDED",
  FAILED: "FAILED",
} as const;

/**
 * Step of the review: by the registry (TCR), the provider, then the mobile networks (MNO). MNO_PROVISIONED makes the
 * campaign ACTIVE.
 */
export type CampaignReviewStatus = Schemas["CampaignReviewStatus"];

/**
 * Step of the review: by the registry (TCR), the provider, then the mobile networks (MNO). MNO_PROVISIONED makes the
 * campaign ACTIVE.
 */
export const CampaignReviewStatus = {
  TCR_PENDING: "TCR_PENDING",
  TCR_ACCEPTED: "TCR_ACCEPTED",
  TCR_FAILED: "TCR_FAILED",
  TCR_SUSPENDED: "TCR_SUSPENDED",
  TCR_EXPIRED: "TCR_EXPIRED",
  PROVIDER_ACCEPTED: "PROVIDER_ACCEPTED",
  PROVIDER_FAILED: "PROVIDER_FAILED",
  MNO_PENDING: "MNO_PENDING",
  MNO_ACCEPTED: "MNO_ACCEPTED",
  MNO_REJECTED: "MNO_REJECTED",
  MNO_PROVISIONED: "MNO_PROVISIONED",
  MNO_PROVISIONING_FAILED: "MNO_PROVISIONING_FAILED",
} as const;

/** State of a number. PENDING: being ordered. ACTIVE: in use. SUSPENDED: stopped for now. RELEASED: given back. */
export type NumberStatus = Schemas["NumberStatus"];

/** State of a number. PENDING: being ordered. ACTIVE: in use. SUSPENDED: stopped for now. RELEASED: given back. */
export const NumberStatus = {
  PENDING: "PENDING",
  ACTIVE: "ACTIVE",
  SUSPENDED: "SUSPENDED",
  RELEASED: "RELEASED",
} as const;

/**
 * How far the assignment of a number to a campaign is: from UNASSIGNED over PENDING_ASSIGNMENT to ASSIGNED or
 * FAILED_ASSIGNMENT, and back over PENDING_UNASSIGNMENT, which can end as FAILED_UNASSIGNMENT.
 */
export type NumberAssignmentStatus = Schemas["NumberAssignmentStatus"];

/**
 * How far the assignment of a number to a campaign is: from UNASSIGNED over PENDING_ASSIGNMENT to ASSIGNED or
 * FAILED_ASSIGNMENT, and back over PENDING_UNASSIGNMENT, which can end as FAILED_UNASSIGNMENT.
 */
export const NumberAssignmentStatus = {
  UNASSIGNED: "UNASSIGNED",
  PENDING_ASSIGNMENT: "PENDING_ASSIGNMENT",
  ASSIGNED: "ASSIGNED",
  FAILED_ASSIGNMENT: "FAILED_ASSIGNMENT",
  PENDING_UNASSIGNMENT: "PENDING_UNASSIGNMENT",
  FAILED_UNASSIGNMENT: "FAILED_UNASSIGNMENT",
} as const;

/** What a number can be used for. */
export type NumberCapability = Schemas["NumberCapability"];

/** What a number can be used for. */
export const NumberCapability = { SMS: "SMS", MMS: "MMS", VOICE: "VOICE", FAX: "FAX" } as const;

/** The first thing that stands between the merchant's best chain of brand, campaign and number and readiness. */
export type RegistrationBlockingReason = Schemas["RegistrationBlockingReason"];

/** The first thing that stands between the merchant's best chain of brand, campaign and number and readiness. */
export const RegistrationBlockingReason = {
  MERCHANT_INACTIVE: "MERCHANT_INACTIVE",
  BRAND_MISSING: "BRAND_MISSING",
  BRAND_FAILED: "BRAND_FAILED",
  BRAND_SUSPENDED: "BRAND_SUSPENDED",
  BRAND_PENDING: "BRAND_PENDING",
  BRAND_UNVERIFIED: "BRAND_UNVERIFIED",
  CAMPAIGN_MISSING: "CAMPAIGN_MISSING",
  CAMPAIGN_REJECTED: "CAMPAIGN_REJECTED",
  CAMPAIGN_SUSPENDED: "CAMPAIGN_SUSPENDED",
  CAMPAIGN_EXPIRED: "CAMPAIGN_EXPIRED",
  CAMPAIGN_PENDING: "CAMPAIGN_PENDING",
  NUMBER_MISSING: "NUMBER_MISSING",
  NUMBER_INACTIVE: "NUMBER_INACTIVE",
  NUMBER_NOT_SMS_CAPABLE: "NUMBER_NOT_SMS_CAPABLE",
  NUMBER_UNASSIGNED: "NUMBER_UNASSIGNED",
  NUMBER_ASSIGNMENT_FAILED: "NUMBER_ASSIGNMENT_FAILED",
  NUMBER_ASSIGNMENT_PENDING: "NUMBER_ASSIGNMENT_PENDING",
} as const;

/**
 * Whether a user can take calls. OFFLINE: no phone is registered. AVAILABLE: yes. ON_BREAK, BUSY: a phone is
 * registered, but not now.
 */
export type AgentStatus = Schemas["AgentStatus"];

/**
 * Whether a user can take calls. OFFLINE: no phone is registered. AVAILABLE: yes. ON_BREAK, BUSY: a phone is
 * registered, but not now.
 */
export const AgentStatus = { OFFLINE: "OFFLINE", AVAILABLE: "AVAILABLE", ON_BREAK: "ON_BREAK", BUSY: "BUSY" } as const;

/**
 * How members of a group are called. RING_ALL: all at once. SEQUENTIAL: one after the other, by priority.
 * ROUND_ROBIN: in turn. LONGEST_IDLE: whoever has waited longest.
 */
export type RoutingStrategy = Schemas["RoutingStrategy"];

/**
 * How members of a group are called. RING_ALL: all at once. SEQUENTIAL: one after the other, by priority.
 * ROUND_ROBIN: in turn. LONGEST_IDLE: whoever has waited longest.
 */
export const RoutingStrategy = {
  RING_ALL: "RING_ALL",
  SEQUENTIAL: "SEQUENTIAL",
  ROUND_ROBIN: "ROUND_ROBIN",
  LONGEST_IDLE: "LONGEST_IDLE",
} as const;

/**
 * What a menu does with a caller: rings a group (RING_GROUP) or one USER, forwards to a number (FORWARD), takes a
 * message (VOICEMAIL), opens another menu (SUBMENU), plays the menu again (REPEAT) or ends the call (HANGUP).
 */
export type MenuAction = Schemas["MenuAction"];

/**
 * What a menu does with a caller: rings a group (RING_GROUP) or one USER, forwards to a number (FORWARD), takes a
 * message (VOICEMAIL), opens another menu (SUBMENU), plays the menu again (REPEAT) or ends the call (HANGUP).
 */
export const MenuAction = {
  RING_GROUP: "RING_GROUP",
  USER: "USER",
  FORWARD: "FORWARD",
  VOICEMAIL: "VOICEMAIL",
  SUBMENU: "SUBMENU",
  REPEAT: "REPEAT",
  HANGUP: "HANGUP",
} as const;

/** A day of the week. */
export type Weekday = Schemas["Weekday"];

/** A day of the week. */
export const Weekday = {
  MONDAY: "MONDAY",
  TUESDAY: "TUESDAY",
  WEDNESDAY: "WEDNESDAY",
  THURSDAY: "THURSDAY",
  FRIDAY: "FRIDAY",
  SATURDAY: "SATURDAY",
  SUNDAY: "SUNDAY",
} as const;

/**
 * What a reply brought about. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent.
 * RECEIVED: nothing more.
 */
export type ReplyOutcome = Schemas["ReplyOutcome"];

/**
 * What a reply brought about. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent.
 * RECEIVED: nothing more.
 */
export const ReplyOutcome = {
  OPTED_OUT: "OPTED_OUT",
  OPTED_IN: "OPTED_IN",
  HELP_SENT: "HELP_SENT",
  RECEIVED: "RECEIVED",
} as const;

/** Stable name of a problem. One code always has the same status and title. */
export type ProblemCode = Schemas["ProblemCode"];

/** Stable name of a problem. One code always has the same status and title. */
export const ProblemCode = {
  malformed_http: "malformed_http",
  malformed_json: "malformed_json",
  validation_error: "validation_error",
  invalid_phone_number: "invalid_phone_number",
  invalid_email: "invalid_email",
  invalid_timezone: "invalid_timezone",
  invalid_date_range: "invalid_date_range",
  idempotency_key_invalid: "idempotency_key_invalid",
  idempotency_key_conflict: "idempotency_key_conflict",
  credentials_missing: "credentials_missing",
  credentials_invalid: "credentials_invalid",
  credentials_revoked: "credentials_revoked",
  quota_exceeded: "quota_exceeded",
  merchant_scope_denied: "merchant_scope_denied",
  tenant_mismatch: "tenant_mismatch",
  merchant_inactive: "merchant_inactive",
  route_not_found: "route_not_found",
  merchant_not_found: "merchant_not_found",
  message_not_found: "message_not_found",
  call_not_found: "call_not_found",
  batch_not_found: "batch_not_found",
  brand_not_found: "brand_not_found",
  campaign_not_found: "campaign_not_found",
  number_not_found: "number_not_found",
  sip_user_not_found: "sip_user_not_found",
  method_not_allowed: "method_not_allowed",
  not_acceptable: "not_acceptable",
  request_timeout: "request_timeout",
  idempotency_in_progress: "idempotency_in_progress",
  number_already_registered: "number_already_registered",
  campaign_reference_conflict: "campaign_reference_conflict",
  illegal_transition: "illegal_transition",
  payload_too_large: "payload_too_large",
  unsupported_media_type: "unsupported_media_type",
  consent_required: "consent_required",
  consent_opted_out: "consent_opted_out",
  idempotency_key_reused: "idempotency_key_reused",
  registration_limit: "registration_limit",
  campaign_number_limit: "campaign_number_limit",
  number_not_sms_capable: "number_not_sms_capable",
  reply_not_supported: "reply_not_supported",
  all_recipients_refused: "all_recipients_refused",
  rate_limited: "rate_limited",
  headers_too_large: "headers_too_large",
  internal_error: "internal_error",
  outcome_unknown: "outcome_unknown",
  unavailable: "unavailable",
} as const;

/** Why a request was refused (RFC 9457). */
export type Problem = Schemas["Problem"];

/** One fault of a request. */
export type FieldProblem = Schemas["FieldProblem"];

/** Body of `client.merchants.upsert`. */
export type V1MerchantUpsertRequest = Schemas["V1MerchantUpsertRequest"];

/** A merchant with its limits, credits and the usage of the current month. */
export type MerchantView = Schemas["MerchantView"];

/** Body of `client.consent.record`. */
export type V1MerchantConsentRequest = Schemas["V1MerchantConsentRequest"];

/** What one contact decided for one merchant and channel. */
export type ConsentView = Schemas["ConsentView"];

/** Body of `client.send.sms`. */
export type V1OmniSmsSendRequest = Schemas["V1OmniSmsSendRequest"];

/** Body of `client.send.voice`. */
export type V1OmniVoiceSendRequest = Schemas["V1OmniVoiceSendRequest"];

/** Body of `client.send.email`. */
export type V1OmniEmailSendRequest = Schemas["V1OmniEmailSendRequest"];

/** A message that was accepted for a merchant. */
export type DispatchResponse = Schemas["DispatchResponse"];

/** Body of `client.send.directSms`. */
export type V1SmsSendRequest = Schemas["V1SmsSendRequest"];

/** Body of `client.send.directEmail`. */
export type V1EmailSendRequest = Schemas["V1EmailSendRequest"];

/** A message that was accepted for the default merchant. */
export type V1MessageResponse = Schemas["V1MessageResponse"];

/** At least one of toNumber and toNumbers is needed. */
export type V1VoiceTtsCallRequest = Schemas["V1VoiceTtsCallRequest"];

/** An accepted batch of calls; a single number makes a batch of one. */
export type VoiceTtsSubmissionView = Schemas["VoiceTtsSubmissionView"];

/** One call with its delivery, usage and cost. */
export type VoiceTtsCallView = Schemas["VoiceTtsCallView"];

/** One line of usage. baseCost + markupCost = finalCost. */
export type VoiceTtsUsageView = Schemas["VoiceTtsUsageView"];

/** Totals of a batch. */
export type VoiceTtsBatchSummaryView = Schemas["VoiceTtsBatchSummaryView"];

/** Delivery and cost of one number of a batch. */
export type VoiceTtsBatchNumberView = Schemas["VoiceTtsBatchNumberView"];

/** A call changed. */
export type VoiceTtsCallUpdatedEvent = Schemas["VoiceTtsCallUpdatedEvent"];

/** A call is over and priced. */
export type VoiceTtsCallFinalizedEvent = Schemas["VoiceTtsCallFinalizedEvent"];

/** Every call of a batch is over and priced. */
export type VoiceTtsBatchFinalizedEvent = Schemas["VoiceTtsBatchFinalizedEvent"];

/** At least one of units and amountCents is needed. */
export type V1MerchantUpgradeRequest = Schemas["V1MerchantUpgradeRequest"];

/** A payment for more units. */
export type MerchantUpgradeView = Schemas["MerchantUpgradeView"];

/** One alert. */
export type AlertView = Schemas["AlertView"];

/** Counts and costs over a range of days. providerCost + hqMarkup = finalCharges. */
export type V1UsageReportResponse = Schemas["V1UsageReportResponse"];

/** Optional fields that are omitted: null on creation, unless the field says otherwise, and unchanged on update. */
export type V1MerchantMessagingBrandRequest = Schemas["V1MerchantMessagingBrandRequest"];

/** A brand, the business behind a merchant's messages. */
export type BrandView = Schemas["BrandView"];

/**
 * Optional fields that are omitted: null or empty on creation, unless the field says otherwise, and unchanged on
 * update.
 */
export type V1MerchantMessagingCampaignRequest = Schemas["V1MerchantMessagingCampaignRequest"];

/** A campaign, one purpose for which a brand sends. */
export type CampaignView = Schemas["CampaignView"];

/** Optional fields that are omitted: null on creation, unless the field says otherwise, and unchanged on update. */
export type V1MerchantPhoneNumberRequest = Schemas["V1MerchantPhoneNumberRequest"];

/** Body of `client.registration.assign`. */
export type V1MerchantPhoneNumberAssignRequest = Schemas["V1MerchantPhoneNumberAssignRequest"];

/** A messaging number of a merchant. */
export type PhoneNumberView = Schemas["PhoneNumberView"];

/** How far a merchant's 10DLC registration is. */
export type MerchantSmsRegistrationStatusView = Schemas["MerchantSmsRegistrationStatusView"];

/** Everything a softphone, a PBX and a switch need to know of a tenant. */
export type V1VoiceProvisioningResponse = Schemas["V1VoiceProvisioningResponse"];

/** Body of `client.provisioning.presence`. */
export type V1VoiceSipPresenceRequest = Schemas["V1VoiceSipPresenceRequest"];

/** A directory document of FreeSWITCH as text, with `document` as its root. */
export type FreeswitchDirectory = Schemas["FreeswitchDirectory"];

/** Body of `client.simulator.reply`. */
export type V1SimulatorReplyRequest = Schemas["V1SimulatorReplyRequest"];

/** What a reply brought about. */
export type V1SimulatorReplyResponse = Schemas["V1SimulatorReplyResponse"];

/** Query values of `client.consent.list`. */
export type ListConsentsQuery = NonNullable<
  paths["/api/v1/consents"]["get"]["parameters"]["query"]
>;

/** Query values of `client.tts.list`. */
export type ListTtsCallsQuery = NonNullable<
  paths["/api/v1/voice/tts-calls"]["get"]["parameters"]["query"]
>;

/** Query values of `client.tts.numbers`. */
export type ListTtsBatchNumbersQuery = NonNullable<
  paths["/api/v1/voice/tts-calls/batches/{batchId}/numbers"]["get"]["parameters"]["query"]
>;

/** Query values of `client.alerts.list`. */
export type ListAlertsQuery = NonNullable<
  paths["/api/v1/alerts"]["get"]["parameters"]["query"]
>;

/** Query values of `client.reports.usage`. */
export type GetUsageReportQuery = NonNullable<
  paths["/api/v1/reports/usage"]["get"]["parameters"]["query"]
>;
