/** Decides what the end of a call means for its row and the rows after it. */
import { AbortedError, ApiError, ConnectionError, type MessagingError } from "@msgctl/sdk";

/**
 * `refused`: the service rejected the row and did nothing. `open`: the outcome is unknown or may change; a retry with the
 * same key is safe. `stopped`: the user stopped the call. `merchant`: no row of this merchant can succeed for now. `all`: no
 * row can succeed. In the last two cases the row itself is not at fault: it is left open, like the rows after it.
 */
export type Ending = "refused" | "open" | "stopped" | "merchant" | "all";

/** `isOneMerchant`: the command line names one merchant for all rows, so correcting a row cannot help. */
export function judgeEnding(error: MessagingError, isOneMerchant: boolean): Ending {
  if (error instanceof AbortedError) return "stopped";
  if (error instanceof ConnectionError) return "open";
  return error instanceof ApiError ? judgeReply(error, isOneMerchant) : "refused";
}

/** Error codes that every row would get. They mean that the service's address or version is wrong. */
const OF_ALL = ["route_not_found", "method_not_allowed", "not_acceptable", "unsupported_media_type"];

function judgeReply({ status, code = "", body }: ApiError, isOneMerchant: boolean): Ending {
  if (status === 401 || OF_ALL.includes(code)) return "all";
  if (code === "merchant_inactive") return "merchant";
  if (code === "merchant_not_found") return isOneMerchant ? "merchant" : "refused";
  if (code === "merchant_scope_denied" && !isOneMerchant) return "merchant";
  // while units are left, a shorter message may still fit
  if (code === "quota_exceeded") return typeof body === "object" && body.available === 0 ? "merchant" : "refused";
  if (status === 403) return "all";
  const isForLater = status >= 500 || [408, 425, 429].includes(status) || code === "idempotency_in_progress";
  // A reply without a code is not from the service.
  return isForLater || status < 400 || code === "" ? "open" : "refused";
}
