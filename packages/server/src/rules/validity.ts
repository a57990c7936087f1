import type { Channel, MessageType } from "./consent.ts";
import { PATIENCE_MS } from "./patience.ts";

/** How late after its acceptance a one-time password may still be handed over, in milliseconds, unless told otherwise. */
export const OTP_VALIDITY_MS = 10 * 60_000;

/** When it is too late to hand a message over, in epoch milliseconds. Calls wait for the hour at which they may be made. */
export function expiryOf(
  { createdAt, type, channel }: { createdAt: number; type: MessageType; channel: Channel },
  otpValidityMs: number,
): number {
  return createdAt + (type === "OTP" && channel !== "VOICE" ? otpValidityMs : PATIENCE_MS);
}
