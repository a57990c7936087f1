import type { MessageType } from "./consent.ts";
import { PATIENCE_MS } from "./patience.ts";

/** How late after its acceptance a one-time password may still be handed over, in milliseconds, unless told otherwise. */
export const OTP_VALIDITY_MS = 10 * 60_000;

/** When it is too late to hand a message over, in epoch milliseconds. */
export function expiryOf({ createdAt, type }: { createdAt: number; type: MessageType }, otpValidityMs: number): number {
  return createdAt + (type === "OTP" ? otpValidityMs : PATIENCE_MS);
}
