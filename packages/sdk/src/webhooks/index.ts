/** Callbacks of the service: `@msgctl/sdk/webhooks`. */
export { WebhookVerificationError, type WebhookVerificationReason } from "./verification-error.ts";
