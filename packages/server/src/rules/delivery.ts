import type { Schemas } from "@msgctl/contract";

/** Why a message or a call did not reach its recipient. */
export type DeliveryReason = Schemas["DeliveryReason"];
