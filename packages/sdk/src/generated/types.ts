// Generated from openapi.yaml by npm run generate. Do not edit.

import type { components, paths } from "@msgctl/contract";

type Schemas = components["schemas"];

/**
 * Identifier that you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or
 * `:`.
 */
export type MerchantId = Schemas["MerchantId"];

/** A phone number in E.164: `+`, country code and number, without spaces or extension. */
export type PhoneNumber = Schemas["PhoneNumber"];

/** A single plain email address of at most 254 characters. Upper and lower case are equivalent; a `+tag` is kept. */
export type EmailAddress = Schemas["EmailAddress"];

/** 1 to 255 printable ASCII characters. */
export type IdempotencyKey = Schemas["IdempotencyKey"];

/** Identifier of a message: `msg_` followed by a ULID. */
export type MessageId = Schemas["MessageId"];

/** An amount in US dollars with at most six decimals. */
export type UsdAmount = Schemas["UsdAmount"];

/** A way to reach a recipient. */
export type Channel = Schemas["Channel"];

/** A way to reach a recipient. */
export const Channel = { SMS: "SMS", VOICE: "VOICE", EMAIL: "EMAIL" } as const;

/** Whether the recipient opted in or out. */
export type ConsentStatus = Schemas["ConsentStatus"];

/** Whether the recipient opted in or out. */
export const ConsentStatus = { OPT_IN: "OPT_IN", OPT_OUT: "OPT_OUT" } as const;

/**
 * Purpose of a message; it determines which consent is required. OTP: a one-time passcode. TRANSACTIONAL: about
 * something the recipient did. REMINDER: about a future event. MARKETING: anything promotional.
 */
export type MessageType = Schemas["MessageType"];

/**
 * Purpose of a message; it determines which consent is required. OTP: a one-time passcode. TRANSACTIONAL: about
 * something the recipient did. REMINDER: about a future event. MARKETING: anything promotional.
 */
export const MessageType = {
  OTP: "OTP",
  REMINDER: "REMINDER",
  MARKETING: "MARKETING",
  TRANSACTIONAL: "TRANSACTIONAL",
} as const;

/**
 * QUEUED: accepted, or deferred by a provider. SENDING: being submitted to a provider, or submitted and not answered
 * yet. SENT: accepted by a provider. DELIVERED, UNDELIVERED: reported by the delivery receipt. FAILED: accepted by
 * no provider; nothing is charged. EXPIRED: too late to be delivered. CANCELED: withdrawn. UNKNOWN: no final report
 * within 72 hours; a late receipt may still change it.
 */
export type MessageStatus = Schemas["MessageStatus"];

/**
 * QUEUED: accepted, or deferred by a provider. SENDING: being submitted to a provider, or submitted and not answered
 * yet. SENT: accepted by a provider. DELIVERED, UNDELIVERED: reported by the delivery receipt. FAILED: accepted by
 * no provider; nothing is charged. EXPIRED: too late to be delivered. CANCELED: withdrawn. UNKNOWN: no final report
 * within 72 hours; a late receipt may still change it.
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
 * PENDING: requested. REQUIRES_ACTION: the payer must confirm it. PROCESSING: in progress. SUCCEEDED: paid, and the
 * credits are added. FAILED: refused. CANCELED: withdrawn.
 */
export type PaymentStatus = Schemas["PaymentStatus"];

/**
 * PENDING: requested. REQUIRES_ACTION: the payer must confirm it. PROCESSING: in progress. SUCCEEDED: paid, and the
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
 * USAGE_THRESHOLD: usage reached a share of the monthly limit. PROVIDER_FAILURE: a carrier, or the speech provider
 * for calls, failed 5 times in a row or 4 of the last 20 times. It is raised once and not again until the provider
 * recovers.
 */
export type AlertType = Schemas["AlertType"];

/**
 * USAGE_THRESHOLD: usage reached a share of the monthly limit. PROVIDER_FAILURE: a carrier, or the speech provider
 * for calls, failed 5 times in a row or 4 of the last 20 times. It is raised once and not again until the provider
 * recovers.
 */
export const AlertType = { USAGE_THRESHOLD: "USAGE_THRESHOLD", PROVIDER_FAILURE: "PROVIDER_FAILURE" } as const;

/** Usage alerts are INFO at 50 %, WARNING at 80 and 90 %, and CRITICAL at 100 %. */
export type AlertSeverity = Schemas["AlertSeverity"];

/** Usage alerts are INFO at 50 %, WARNING at 80 and 90 %, and CRITICAL at 100 %. */
export const AlertSeverity = { INFO: "INFO", WARNING: "WARNING", CRITICAL: "CRITICAL" } as const;

/** PROVISIONAL: some costs may still change. FINAL: safe to bill. */
export type FreshnessState = Schemas["FreshnessState"];

/** PROVISIONAL: some costs may still change. FINAL: safe to bill. */
export const FreshnessState = { PROVISIONAL: "PROVISIONAL", FINAL: "FINAL" } as const;

/**
 * PERIOD_OPEN: the range has not ended. PROVIDER_FINALIZATION_PENDING: some messages have no final state yet.
 * SETTLED: everything is final. NO_USAGE: nothing was sent.
 */
export type FreshnessReason = Schemas["FreshnessReason"];

/**
 * PERIOD_OPEN: the range has not ended. PROVIDER_FINALIZATION_PENDING: some messages have no final state yet.
 * SETTLED: everything is final. NO_USAGE: nothing was sent.
 */
export const FreshnessReason = {
  PROVIDER_FINALIZATION_PENDING: "PROVIDER_FINALIZATION_PENDING",
  PERIOD_OPEN: "PERIOD_OPEN",
  SETTLED: "SETTLED",
  NO_USAGE: "NO_USAGE",
} as const;

/**
 * QUEUED: no call has started. SCHEDULED: every call waits for its scheduled time. IN_PROGRESS: some calls have
 * started, and some have not ended. COMPLETED: all calls have ended, none failed. COMPLETED_WITH_ERRORS: all have
 * ended, some failed. FAILED: all failed.
 */
export type TtsBatchStatus = Schemas["TtsBatchStatus"];

/**
 * QUEUED: no call has started. SCHEDULED: every call waits for its scheduled time. IN_PROGRESS: some calls have
 * started, and some have not ended. COMPLETED: all calls have ended, none failed. COMPLETED_WITH_ERRORS: all have
 * ended, some failed. FAILED: all failed.
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
 * Progress of a call, in this order. SCHEDULED: waits for its scheduled time. QUEUED: about to start. SYNTHESIZING:
 * the speech is being generated. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: ended.
 * FAILED: could not be made or did not get through. REJECTED: refused by consent or quota. CANCELED: withdrawn.
 */
export type TtsCallStatus = Schemas["TtsCallStatus"];

/**
 * Progress of a call, in this order. SCHEDULED: waits for its scheduled time. QUEUED: about to start. SYNTHESIZING:
 * the speech is being generated. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: ended.
 * FAILED: could not be made or did not get through. REJECTED: refused by consent or quota. CANCELED: withdrawn.
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
 * State of the telephone call. QUEUED: not dialled yet. INITIATED: dialled. RINGING: ringing. IN_PROGRESS: answered.
 * COMPLETED, BUSY, NO_ANSWER, FAILED and CANCELED are final.
 */
export type CallStatus = Schemas["CallStatus"];

/**
 * State of the telephone call. QUEUED: not dialled yet. INITIATED: dialled. RINGING: ringing. IN_PROGRESS: answered.
 * COMPLETED, BUSY, NO_ANSWER, FAILED and CANCELED are final.
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
 * How much of the speech was played. NOT_STARTED: nothing yet. PLAYING: in progress. COMPLETED: played to the end.
 * PARTIAL: cut off. FAILED: could not be played.
 */
export type PlaybackStatus = Schemas["PlaybackStatus"];

/**
 * How much of the speech was played. NOT_STARTED: nothing yet. PLAYING: in progress. COMPLETED: played to the end.
 * PARTIAL: cut off. FAILED: could not be played.
 */
export const PlaybackStatus = {
  NOT_STARTED: "NOT_STARTED",
  PLAYING: "PLAYING",
  COMPLETED: "COMPLETED",
  PARTIAL: "PARTIAL",
  FAILED: "FAILED",
} as const;

/**
 * Outcome of a call. SUCCESS: a person heard the whole message. PARTIAL: voicemail answered, or the person hung up
 * during playback. FAILED: neither. PENDING, SCHEDULED: the call has not ended.
 */
export type FinalStatus = Schemas["FinalStatus"];

/**
 * Outcome of a call. SUCCESS: a person heard the whole message. PARTIAL: voicemail answered, or the person hung up
 * during playback. FAILED: neither. PENDING, SCHEDULED: the call has not ended.
 */
export const FinalStatus = {
  PENDING: "PENDING",
  SCHEDULED: "SCHEDULED",
  SUCCESS: "SUCCESS",
  PARTIAL: "PARTIAL",
  FAILED: "FAILED",
} as const;

/** PROVISIONAL until the call has ended and is priced, then FINALIZED. */
export type BillingState = Schemas["BillingState"];

/** PROVISIONAL until the call has ended and is priced, then FINALIZED. */
export const BillingState = { PROVISIONAL: "PROVISIONAL", FINALIZED: "FINALIZED" } as const;

/**
 * HIT: the speech already existed and costs nothing. MISS: the speech was generated for this call. PENDING: not
 * known yet.
 */
export type TtsCacheStatus = Schemas["TtsCacheStatus"];

/**
 * HIT: the speech already existed and costs nothing. MISS: the speech was generated for this call. PENDING: not
 * known yet.
 */
export const TtsCacheStatus = { PENDING: "PENDING", HIT: "HIT", MISS: "MISS" } as const;

/** Whether a call starts immediately or at a scheduled time. */
export type ExecutionType = Schemas["ExecutionType"];

/** Whether a call starts immediately or at a scheduled time. */
export const ExecutionType = { IMMEDIATE: "IMMEDIATE", SCHEDULED: "SCHEDULED" } as const;

/** Priority in the queue; it has no other effect. */
export type TtsPriority = Schemas["TtsPriority"];

/** Priority in the queue; it has no other effect. */
export const TtsPriority = { LOW: "LOW", NORMAL: "NORMAL", HIGH: "HIGH" } as const;

/**
 * Why a rule delayed or refused a call. QUIET_HOURS: delayed until 08:00 in the recipient's time zone.
 * TIMEZONE_INFERRED: the number only reveals a country with several time zones, so the call waits until it is day in
 * every zone where the recipient may be. All other values: refused.
 */
export type PolicyReason = Schemas["PolicyReason"];

/**
 * Why a rule delayed or refused a call. QUIET_HOURS: delayed until 08:00 in the recipient's time zone.
 * TIMEZONE_INFERRED: the number only reveals a country with several time zones, so the call waits until it is day in
 * every zone where the recipient may be. All other values: refused.
 */
export const PolicyReason = {
  QUIET_HOURS: "QUIET_HOURS",
  TIMEZONE_INFERRED: "TIMEZONE_INFERRED",
  CONSENT_REQUIRED: "CONSENT_REQUIRED",
  CONSENT_OPTED_OUT: "CONSENT_OPTED_OUT",
  QUOTA_EXCEEDED: "QUOTA_EXCEEDED",
} as const;

/**
 * Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of range), BLOCKED (by the recipient or
 * the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (filtered as spam), CARRIER_UNKNOWN (the
 * carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER,
 * VOICEMAIL, HANGUP (during playback), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be generated).
 */
export type DeliveryReason = Schemas["DeliveryReason"];

/**
 * Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of range), BLOCKED (by the recipient or
 * the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (filtered as spam), CARRIER_UNKNOWN (the
 * carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER,
 * VOICEMAIL, HANGUP (during playback), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be generated).
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

/** TTS: generated speech. CALL: telephone minutes. */
export type UsageType = Schemas["UsageType"];

/** TTS: generated speech. CALL: telephone minutes. */
export const UsageType = { TTS: "TTS", CALL: "CALL" } as const;

/** The unit of a quantity. */
export type UsageUnit = Schemas["UsageUnit"];

/** The unit of a quantity. */
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
 * Registration state of a brand. DRAFT: not submitted. PENDING: submitted. IN_REVIEW: under review. APPROVED:
 * campaigns can use it. FAILED: refused. SUSPENDED: stopped after approval.
 */
export type BrandStatus = Schemas["BrandStatus"];

/**
 * Registration state of a brand. DRAFT: not submitted. PENDING: submitted. IN_REVIEW: under review. APPROVED:
 * campaigns can use it. FAILED: refused. SUSPENDED: stopped after approval.
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
 * How far the identity of a brand is verified. SELF_DECLARED: stated by the brand itself. UNVERIFIED: not verified,
 * or not yet. VERIFIED: verified by the registry. VETTED_VERIFIED: also verified by a vetting agency.
 */
export type BrandVerificationStatus = Schemas["BrandVerificationStatus"];

/**
 * How far the identity of a brand is verified. SELF_DECLARED: stated by the brand itself. UNVERIFIED: not verified,
 * or not yet. VERIFIED: verified by the registry. VETTED_VERIFIED: also verified by a vetting agency.
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
 * Registration state of a campaign. PENDING: in review. ACTIVE: ready for use. EXPIRED: not renewed. SUSPENDED:
 * stopped. FAILED: refused.
 */
export type CampaignStatus = Schemas["CampaignStatus"];

/**
 * Registration state of a campaign. PENDING: in review. ACTIVE: ready for use. EXPIRED: not renewed. SUSPENDED:
 * stopped. FAILED: refused.
 */
export const CampaignStatus = {
  PENDING: "PENDING",
  ACTIVE: "ACTIVE",
  EXPIRED: "EXPIRED",
  SUSPENDED: "SUSPENDED",
  FAILED: "FAILED",
} as const;

/**
 * Step of the review: first the registry (TCR), then the provider, then the mobile network operators (MNO).
 * MNO_PROVISIONED makes the campaign ACTIVE.
 */
export type CampaignReviewStatus = Schemas["CampaignReviewStatus"];

/**
 * Step of the review: first the registry (TCR), then the provider, then the mobile network operators (MNO).
 * MNO_PROVISIONED makes the campaign ACTIVE.
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

/**
 * State of a number. PENDING: being ordered. ACTIVE: in use. SUSPENDED: temporarily stopped. RELEASED: returned to
 * the provider.
 */
export type NumberStatus = Schemas["NumberStatus"];

/**
 * State of a number. PENDING: being ordered. ACTIVE: in use. SUSPENDED: temporarily stopped. RELEASED: returned to
 * the provider.
 */
export const NumberStatus = {
  PENDING: "PENDING",
  ACTIVE: "ACTIVE",
  SUSPENDED: "SUSPENDED",
  RELEASED: "RELEASED",
} as const;

/**
 * Assignment of a number to a campaign. It goes from UNASSIGNED through PENDING_ASSIGNMENT to ASSIGNED or
 * FAILED_ASSIGNMENT. The removal goes through PENDING_UNASSIGNMENT to UNASSIGNED or FAILED_UNASSIGNMENT.
 */
export type NumberAssignmentStatus = Schemas["NumberAssignmentStatus"];

/**
 * Assignment of a number to a campaign. It goes from UNASSIGNED through PENDING_ASSIGNMENT to ASSIGNED or
 * FAILED_ASSIGNMENT. The removal goes through PENDING_UNASSIGNMENT to UNASSIGNED or FAILED_UNASSIGNMENT.
 */
export const NumberAssignmentStatus = {
  UNASSIGNED: "UNASSIGNED",
  PENDING_ASSIGNMENT: "PENDING_ASSIGNMENT",
  ASSIGNED: "ASSIGNED",
  FAILED_ASSIGNMENT: "FAILED_ASSIGNMENT",
  PENDING_UNASSIGNMENT: "PENDING_UNASSIGNMENT",
  FAILED_UNASSIGNMENT: "FAILED_UNASSIGNMENT",
} as const;

/** A service that a number supports. */
export type NumberCapability = Schemas["NumberCapability"];

/** A service that a number supports. */
export const NumberCapability = { SMS: "SMS", MMS: "MMS", VOICE: "VOICE", FAX: "FAX" } as const;

/** The first missing part of the merchant's most complete chain of brand, campaign and number. */
export type RegistrationBlockingReason = Schemas["RegistrationBlockingReason"];

/** The first missing part of the merchant's most complete chain of brand, campaign and number. */
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
 * Whether a user can take calls. OFFLINE: no phone is registered. AVAILABLE: the user can take calls. ON_BREAK,
 * BUSY: a phone is registered, but the user cannot take calls now.
 */
export type AgentStatus = Schemas["AgentStatus"];

/**
 * Whether a user can take calls. OFFLINE: no phone is registered. AVAILABLE: the user can take calls. ON_BREAK,
 * BUSY: a phone is registered, but the user cannot take calls now.
 */
export const AgentStatus = { OFFLINE: "OFFLINE", AVAILABLE: "AVAILABLE", ON_BREAK: "ON_BREAK", BUSY: "BUSY" } as const;

/**
 * How a group's members are called. RING_ALL: all at once. SEQUENTIAL: one after another, by priority. ROUND_ROBIN:
 * in turn. LONGEST_IDLE: the member who has waited longest is called first.
 */
export type RoutingStrategy = Schemas["RoutingStrategy"];

/**
 * How a group's members are called. RING_ALL: all at once. SEQUENTIAL: one after another, by priority. ROUND_ROBIN:
 * in turn. LONGEST_IDLE: the member who has waited longest is called first.
 */
export const RoutingStrategy = {
  RING_ALL: "RING_ALL",
  SEQUENTIAL: "SEQUENTIAL",
  ROUND_ROBIN: "ROUND_ROBIN",
  LONGEST_IDLE: "LONGEST_IDLE",
} as const;

/**
 * What a menu does with a caller. RING_GROUP: rings a group. USER: rings a user. FORWARD: forwards to a number.
 * VOICEMAIL: takes a message. SUBMENU: opens another menu. REPEAT: plays the menu again. HANGUP: ends the call.
 */
export type MenuAction = Schemas["MenuAction"];

/**
 * What a menu does with a caller. RING_GROUP: rings a group. USER: rings a user. FORWARD: forwards to a number.
 * VOICEMAIL: takes a message. SUBMENU: opens another menu. REPEAT: plays the menu again. HANGUP: ends the call.
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
 * Effect of a reply. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent. RECEIVED:
 * no other effect.
 */
export type ReplyOutcome = Schemas["ReplyOutcome"];

/**
 * Effect of a reply. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent. RECEIVED:
 * no other effect.
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

/** The reason why a request was refused (RFC 9457). */
export type Problem = Schemas["Problem"];

/** One fault of a request. */
export type FieldProblem = Schemas["FieldProblem"];

/** Body of `client.merchants.upsert`. */
export type V1MerchantUpsertRequest = Schemas["V1MerchantUpsertRequest"];

/** A merchant with its limits, credits and the usage of the current month. */
export type MerchantView = Schemas["MerchantView"];

/** Body of `client.consent.record`. */
export type V1MerchantConsentRequest = Schemas["V1MerchantConsentRequest"];

/** The decision of one contact for one merchant and channel. */
export type ConsentView = Schemas["ConsentView"];

/** Body of `client.send.sms`. */
export type V1OmniSmsSendRequest = Schemas["V1OmniSmsSendRequest"];

/** Body of `client.send.voice`. */
export type V1OmniVoiceSendRequest = Schemas["V1OmniVoiceSendRequest"];

/** Body of `client.send.email`. */
export type V1OmniEmailSendRequest = Schemas["V1OmniEmailSendRequest"];

/** A message accepted for a merchant. */
export type DispatchResponse = Schemas["DispatchResponse"];

/** Body of `client.send.directSms`. */
export type V1SmsSendRequest = Schemas["V1SmsSendRequest"];

/** Body of `client.send.directEmail`. */
export type V1EmailSendRequest = Schemas["V1EmailSendRequest"];

/** A message accepted for the default merchant. */
export type V1MessageResponse = Schemas["V1MessageResponse"];

/** At least one of toNumber and toNumbers is required. */
export type V1VoiceTtsCallRequest = Schemas["V1VoiceTtsCallRequest"];

/** An accepted batch of calls. A single number is a batch of one. */
export type VoiceTtsSubmissionView = Schemas["VoiceTtsSubmissionView"];

/** One call with its delivery, usage and cost. */
export type VoiceTtsCallView = Schemas["VoiceTtsCallView"];

/** One item of usage. baseCost + markupCost = finalCost. */
export type VoiceTtsUsageView = Schemas["VoiceTtsUsageView"];

/** Totals of a batch. */
export type VoiceTtsBatchSummaryView = Schemas["VoiceTtsBatchSummaryView"];

/** Delivery and cost of one number of a batch. */
export type VoiceTtsBatchNumberView = Schemas["VoiceTtsBatchNumberView"];

/** A call changed. */
export type VoiceTtsCallUpdatedEvent = Schemas["VoiceTtsCallUpdatedEvent"];

/** A call has ended and is priced. */
export type VoiceTtsCallFinalizedEvent = Schemas["VoiceTtsCallFinalizedEvent"];

/** All calls of a batch have ended and are priced. */
export type VoiceTtsBatchFinalizedEvent = Schemas["VoiceTtsBatchFinalizedEvent"];

/** At least one of units and amountCents is required. */
export type V1MerchantUpgradeRequest = Schemas["V1MerchantUpgradeRequest"];

/** A payment for additional units. */
export type MerchantUpgradeView = Schemas["MerchantUpgradeView"];

/** An alert. */
export type AlertView = Schemas["AlertView"];

/** Counts and costs over a range of days. providerCost + hqMarkup = finalCharges. */
export type V1UsageReportResponse = Schemas["V1UsageReportResponse"];

/**
 * If an optional field is omitted, it is null on creation, unless the field says otherwise, and unchanged on update.
 */
export type V1MerchantMessagingBrandRequest = Schemas["V1MerchantMessagingBrandRequest"];

/** A brand, the business behind a merchant's messages. */
export type BrandView = Schemas["BrandView"];

/**
 * If an optional field is omitted, it is null or empty on creation, unless the field says otherwise, and unchanged
 * on update.
 */
export type V1MerchantMessagingCampaignRequest = Schemas["V1MerchantMessagingCampaignRequest"];

/** A campaign: one purpose for which a brand sends messages. */
export type CampaignView = Schemas["CampaignView"];

/**
 * If an optional field is omitted, it is null on creation, unless the field says otherwise, and unchanged on update.
 */
export type V1MerchantPhoneNumberRequest = Schemas["V1MerchantPhoneNumberRequest"];

/** Body of `client.registration.assign`. */
export type V1MerchantPhoneNumberAssignRequest = Schemas["V1MerchantPhoneNumberAssignRequest"];

/** A messaging number of a merchant. */
export type PhoneNumberView = Schemas["PhoneNumberView"];

/** State of a merchant's 10DLC registration. */
export type MerchantSmsRegistrationStatusView = Schemas["MerchantSmsRegistrationStatusView"];

/** The tenant's settings for softphones, PBXs and switches. */
export type V1VoiceProvisioningResponse = Schemas["V1VoiceProvisioningResponse"];

/** Body of `client.provisioning.presence`. */
export type V1VoiceSipPresenceRequest = Schemas["V1VoiceSipPresenceRequest"];

/** A FreeSWITCH directory document as text, with `document` as its root. */
export type FreeswitchDirectory = Schemas["FreeswitchDirectory"];

/** Body of `client.simulator.reply`. */
export type V1SimulatorReplyRequest = Schemas["V1SimulatorReplyRequest"];

/** The effect of a reply. */
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
