// A message that a carrier took in parts is as far as its parts are.

/** How far a part is; null while only its being taken is known. */
export type PartStatus = "DELIVERED" | "UNDELIVERED" | "EXPIRED" | null;

/** The state of a message of these parts: one that failed decides, and it is delivered once all are. */
export function joinParts(parts: readonly PartStatus[]): "SENT" | Exclude<PartStatus, null> {
  const failed = parts.find((status) => status === "UNDELIVERED" || status === "EXPIRED");
  if (failed !== undefined && failed !== null) return failed;
  return parts.length > 0 && parts.every((status) => status === "DELIVERED") ? "DELIVERED" : "SENT";
}
