/** What the end of a call means for its row. */
import { AbortedError, ApiError, ConnectionError, type MessagingError } from "@msgctl/sdk";

/**
 * `refused`: the service has judged the row, and did nothing. `open`: nobody knows, or it may go better later; the same
 * key asks again. `stopped`: the user did. `credential`: no row can be done with it.
 */
export type Ending = "refused" | "open" | "stopped" | "credential";

export function endingOf(error: MessagingError): Ending {
  if (error instanceof AbortedError) return "stopped";
  if (error instanceof ConnectionError) return "open";
  return error instanceof ApiError ? endingOfReply(error) : "refused";
}

function endingOfReply({ status, code }: ApiError): Ending {
  if (status === 401) return "credential";
  // Of all that is forbidden, this alone is about the row.
  if (status === 403) return code === "merchant_inactive" ? "refused" : "credential";
  const isForLater = status >= 500 || [408, 425, 429].includes(status) || code === "idempotency_in_progress";
  // Without a code it was not the service that answered.
  return isForLater || status < 400 || code === undefined ? "open" : "refused";
}
