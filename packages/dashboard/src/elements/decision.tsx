import type { Schemas } from "@msgctl/contract";
import { State } from "./state.tsx";

/** A recipient's decision about messages. */
export function Decision({ status }: { readonly status: Schemas["ConsentStatus"] }) {
  return <State state={status === "OPT_OUT" ? "OPTED_OUT" : "OPTED_IN"} tone={status === "OPT_OUT" ? "bad" : "good"} />;
}
