// Generated from openapi.yaml by npm run generate. Do not edit.

export const MERCHANT_ID_PATTERN = /^(\.{0,2}[A-Za-z0-9_:-]|\.{3})[A-Za-z0-9._:-]*$/u;
export const MERCHANT_ID_MIN_LENGTH = 1;
export const MERCHANT_ID_MAX_LENGTH = 64;
export const PHONE_NUMBER_PATTERN = /^\+[1-9]\d{6,14}$/u;
export const PHONE_NUMBER_MAX_LENGTH = 16;
export const IDEMPOTENCY_KEY_PATTERN = /^[ -~]{1,255}$/u;
export const IDEMPOTENCY_KEY_MIN_LENGTH = 1;
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
export const CHANNEL_VALUES = ["SMS", "VOICE", "EMAIL"] as const;
export const CONSENT_STATUS_VALUES = ["OPT_IN", "OPT_OUT"] as const;
export const MESSAGE_TYPE_VALUES = ["OTP", "REMINDER", "MARKETING", "TRANSACTIONAL"] as const;
export const MESSAGE_STATUS_VALUES = [
  "QUEUED",
  "SENDING",
  "SENT",
  "DELIVERED",
  "UNDELIVERED",
  "FAILED",
  "EXPIRED",
  "CANCELED",
  "UNKNOWN",
] as const;
export const CURRENCY_VALUES = ["USD"] as const;
export const PAYMENT_STATUS_VALUES = [
  "PENDING",
  "REQUIRES_ACTION",
  "PROCESSING",
  "SUCCEEDED",
  "FAILED",
  "CANCELED",
] as const;
export const ALERT_TYPE_VALUES = ["USAGE_THRESHOLD", "PROVIDER_FAILURE"] as const;
export const ALERT_SEVERITY_VALUES = ["INFO", "WARNING", "CRITICAL"] as const;
export const FRESHNESS_STATE_VALUES = ["PROVISIONAL", "FINAL"] as const;
export const FRESHNESS_REASON_VALUES = [
  "PROVIDER_FINALIZATION_PENDING",
  "PERIOD_OPEN",
  "SETTLED",
  "NO_USAGE",
] as const;
export const TTS_BATCH_STATUS_VALUES = [
  "QUEUED",
  "SCHEDULED",
  "IN_PROGRESS",
  "COMPLETED",
  "COMPLETED_WITH_ERRORS",
  "FAILED",
] as const;
export const TTS_CALL_STATUS_VALUES = [
  "QUEUED",
  "SCHEDULED",
  "SYNTHESIZING",
  "DIALING",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "REJECTED",
  "CANCELED",
] as const;
export const CALL_STATUS_VALUES = [
  "QUEUED",
  "INITIATED",
  "RINGING",
  "IN_PROGRESS",
  "COMPLETED",
  "BUSY",
  "NO_ANSWER",
  "FAILED",
  "CANCELED",
] as const;
export const PLAYBACK_STATUS_VALUES = ["NOT_STARTED", "PLAYING", "COMPLETED", "PARTIAL", "FAILED"] as const;
export const FINAL_STATUS_VALUES = ["PENDING", "SCHEDULED", "SUCCESS", "PARTIAL", "FAILED"] as const;
export const BILLING_STATE_VALUES = ["PROVISIONAL", "FINALIZED"] as const;
export const TTS_CACHE_STATUS_VALUES = ["PENDING", "HIT", "MISS"] as const;
export const EXECUTION_TYPE_VALUES = ["IMMEDIATE", "SCHEDULED"] as const;
export const TTS_PRIORITY_VALUES = ["LOW", "NORMAL", "HIGH"] as const;
export const POLICY_REASON_VALUES = [
  "QUIET_HOURS",
  "TIMEZONE_INFERRED",
  "CONSENT_REQUIRED",
  "CONSENT_OPTED_OUT",
  "QUOTA_EXCEEDED",
] as const;
export const DELIVERY_REASON_VALUES = [
  "UNREACHABLE",
  "BLOCKED",
  "UNKNOWN_HANDSET",
  "LANDLINE",
  "CARRIER_FILTERED",
  "CARRIER_UNKNOWN",
  "UNREGISTERED_SENDER",
  "TTL_EXPIRED",
  "OPTED_OUT",
  "BUSY",
  "NO_ANSWER",
  "VOICEMAIL",
  "HANGUP",
  "FAX",
  "INVALID_NUMBER",
  "TTS_FAILED",
] as const;
export const USAGE_TYPE_VALUES = ["TTS", "CALL"] as const;
export const USAGE_UNIT_VALUES = ["CHARACTER", "MINUTE"] as const;
export const BUSINESS_TYPE_VALUES = [
  "PRIVATE_PROFIT",
  "PUBLIC_PROFIT",
  "NON_PROFIT",
  "GOVERNMENT",
  "SOLE_PROPRIETOR",
] as const;
export const BRAND_STATUS_VALUES = ["DRAFT", "PENDING", "IN_REVIEW", "APPROVED", "FAILED", "SUSPENDED"] as const;
export const BRAND_VERIFICATION_STATUS_VALUES = [
  "SELF_DECLARED",
  "UNVERIFIED",
  "VERIFIED",
  "VETTED_VERIFIED",
] as const;
export const CAMPAIGN_USE_CASE_VALUES = [
  "2FA",
  "ACCOUNT_NOTIFICATION",
  "CUSTOMER_CARE",
  "DELIVERY_NOTIFICATION",
  "FRAUD_ALERT",
  "HIGHER_EDUCATION",
  "LOW_VOLUME",
  "M2M",
  "MARKETING",
  "MIXED",
  "POLLING_VOTING",
  "PUBLIC_SERVICE_ANNOUNCEMENT",
  "SECURITY_ALERT",
  "AGENTS_FRANCHISES",
  "CARRIER_EXEMPT",
  "CHARITY",
  "EMERGENCY",
  "K12_EDUCATION",
  "POLITICAL",
  "PROXY",
  "SOCIAL",
  "SOLE_PROPRIETOR",
  "SWEEPSTAKE",
] as const;
export const CAMPAIGN_STATUS_VALUES = ["PENDING", "ACTIVE", "EXPIRED", "SUSPENDED", "FAILED"] as const;
export const CAMPAIGN_REVIEW_STATUS_VALUES = [
  "TCR_PENDING",
  "TCR_ACCEPTED",
  "TCR_FAILED",
  "TCR_SUSPENDED",
  "TCR_EXPIRED",
  "PROVIDER_ACCEPTED",
  "PROVIDER_FAILED",
  "MNO_PENDING",
  "MNO_ACCEPTED",
  "MNO_REJECTED",
  "MNO_PROVISIONED",
  "MNO_PROVISIONING_FAILED",
] as const;
export const NUMBER_STATUS_VALUES = ["PENDING", "ACTIVE", "SUSPENDED", "RELEASED"] as const;
export const NUMBER_ASSIGNMENT_STATUS_VALUES = [
  "UNASSIGNED",
  "PENDING_ASSIGNMENT",
  "ASSIGNED",
  "FAILED_ASSIGNMENT",
  "PENDING_UNASSIGNMENT",
  "FAILED_UNASSIGNMENT",
] as const;
export const NUMBER_CAPABILITY_VALUES = ["SMS", "MMS", "VOICE", "FAX"] as const;
export const REGISTRATION_BLOCKING_REASON_VALUES = [
  "MERCHANT_INACTIVE",
  "BRAND_MISSING",
  "BRAND_FAILED",
  "BRAND_SUSPENDED",
  "BRAND_PENDING",
  "BRAND_UNVERIFIED",
  "CAMPAIGN_MISSING",
  "CAMPAIGN_REJECTED",
  "CAMPAIGN_SUSPENDED",
  "CAMPAIGN_EXPIRED",
  "CAMPAIGN_PENDING",
  "NUMBER_MISSING",
  "NUMBER_INACTIVE",
  "NUMBER_NOT_SMS_CAPABLE",
  "NUMBER_UNASSIGNED",
  "NUMBER_ASSIGNMENT_FAILED",
  "NUMBER_ASSIGNMENT_PENDING",
] as const;
export const AGENT_STATUS_VALUES = ["OFFLINE", "AVAILABLE", "ON_BREAK", "BUSY"] as const;
export const ROUTING_STRATEGY_VALUES = ["RING_ALL", "SEQUENTIAL", "ROUND_ROBIN", "LONGEST_IDLE"] as const;
export const MENU_ACTION_VALUES = [
  "RING_GROUP",
  "USER",
  "FORWARD",
  "VOICEMAIL",
  "SUBMENU",
  "REPEAT",
  "HANGUP",
] as const;
export const WEEKDAY_VALUES = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"] as const;
export const REPLY_OUTCOME_VALUES = ["OPTED_OUT", "OPTED_IN", "HELP_SENT", "RECEIVED"] as const;
export const PROBLEM_CODE_VALUES = [
  "malformed_http",
  "malformed_json",
  "validation_error",
  "invalid_phone_number",
  "invalid_email",
  "invalid_timezone",
  "invalid_date_range",
  "idempotency_key_invalid",
  "idempotency_key_conflict",
  "credentials_missing",
  "credentials_invalid",
  "credentials_revoked",
  "quota_exceeded",
  "merchant_scope_denied",
  "tenant_mismatch",
  "merchant_inactive",
  "route_not_found",
  "merchant_not_found",
  "message_not_found",
  "call_not_found",
  "batch_not_found",
  "brand_not_found",
  "campaign_not_found",
  "number_not_found",
  "sip_user_not_found",
  "method_not_allowed",
  "not_acceptable",
  "request_timeout",
  "idempotency_in_progress",
  "number_already_registered",
  "campaign_reference_conflict",
  "illegal_transition",
  "payload_too_large",
  "unsupported_media_type",
  "consent_required",
  "consent_opted_out",
  "idempotency_key_reused",
  "registration_limit",
  "campaign_number_limit",
  "number_not_sms_capable",
  "reply_not_supported",
  "all_recipients_refused",
  "rate_limited",
  "headers_too_large",
  "internal_error",
  "outcome_unknown",
  "unavailable",
] as const;
export const IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT = 7;
export const IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM = 3;
export const TTS_BATCH_STATUS_ENDS = ["COMPLETED", "COMPLETED_WITH_ERRORS", "FAILED"] as const;
export const BULK_CONCURRENCY_DEFAULT = 16;
export const BULK_CONCURRENCY_MINIMUM = 1;
export const BULK_CONCURRENCY_MAXIMUM = 256;
export const PROBLEM_PAGES = "/docs/errors/";
