import { State } from "../../elements/state.tsx";
import { describeReason } from "./reasons.ts";

export interface OutcomeProps {
  readonly finalStatus: string;
  readonly reason: string | null;
}

/** The outcome of a call, and its reason. */
export function Outcome({ finalStatus, reason }: OutcomeProps) {
  return <State state={finalStatus} reason={reason === null ? null : describeReason(reason)} />;
}
