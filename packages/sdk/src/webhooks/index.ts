/** Callbacks of the service: verify them, and make signed ones for tests. */
export type {
  VoiceTtsBatchFinalizedEvent,
  VoiceTtsBatchSummaryView,
  VoiceTtsCallFinalizedEvent,
  VoiceTtsCallUpdatedEvent,
  VoiceTtsCallView,
} from "../generated/types.ts";
export type {
  CallbacksTestEvent,
  DataOf,
  EventType,
  MessageReceivedEvent,
  MessageUpdatedEvent,
  UnknownEvent,
  WebhookEvent,
} from "./events.ts";
export type { WebhookHeaders } from "./headers.ts";
export { type EventToSign, type SignedWebhook, type SignOptions, signWebhook } from "./sign.ts";
export type { WebhookSecrets } from "./signature.ts";
export { WebhookVerificationError, type WebhookVerificationReason } from "./verification-error.ts";
export { type VerifyOptions, verifyWebhook } from "./verify.ts";
