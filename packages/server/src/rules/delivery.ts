/** Why a message or a call did not reach its recipient. */
export type DeliveryReason =
  | "UNREACHABLE"
  | "BLOCKED"
  | "UNKNOWN_HANDSET"
  | "LANDLINE"
  | "CARRIER_FILTERED"
  | "CARRIER_UNKNOWN"
  | "UNREGISTERED_SENDER"
  | "TTL_EXPIRED"
  | "OPTED_OUT"
  | "BUSY"
  | "NO_ANSWER"
  | "VOICEMAIL"
  | "HANGUP"
  | "FAX"
  | "INVALID_NUMBER"
  | "TTS_FAILED";
