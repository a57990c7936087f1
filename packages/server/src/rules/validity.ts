import type { MessageType } from "./consent.ts";
import { PATIENCE_MS } from "./patience.ts";

/** How late after its acceptance a one-time password may still be handed over, in milliseconds, unless told otherwise. */
export const OTP_VALIDITY_MS = 10 * 60_000;

/** The answer to a reply that comes later than that confuses more than it tells. */
const CONFIRMATION_VALIDITY_MS = 5 * 60_000;

/** When it is too late to hand a message over, in epoch milliseconds. */
export function expiryOf(
  { createdAt, type, purpose }: { createdAt: number; type: MessageType; purpose: "SEND" | "CONFIRMATION" },
  otpValidityMs: number,
): number {
  if (purpose === "CONFIRMATION") return createdAt + CONFIRMATION_VALIDITY_MS;
  return createdAt + (type === "OTP" ? otpValidityMs : PATIENCE_MS);
}
