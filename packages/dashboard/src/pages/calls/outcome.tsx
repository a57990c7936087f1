import { State, type Tone } from "../state.tsx";
import { describeReason } from "./reasons.ts";

export interface OutcomeProps {
  readonly finalStatus: string;
  readonly reason: string | null;
}

const tones: Readonly<Record<string, Tone>> = { SUCCESS: "good", FAILED: "bad" };

/** The outcome of a call, and its reason. */
export function Outcome({ finalStatus, reason }: OutcomeProps) {
  return (
    <>
      <State state={finalStatus} tone={tones[finalStatus] ?? "open"} />
      {reason !== null && <span class="why"> {describeReason(reason)}</span>}
    </>
  );
}
