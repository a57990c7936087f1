import type { Schemas } from "@msgctl/contract";

/** Why a message or a call did not reach its recipient. */
export type DeliveryReason = Schemas["DeliveryReason"];

/** Why a server wants no mail for a recipient, by the enhanced code of its words. */
export function readReason(words: string): DeliveryReason {
  const [, subject] = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(words) ?? [];
  return subject === "7" ? "BLOCKED" : "UNREACHABLE";
}
