// States as chips: a word on a colour, with a shape for readers who do not see the colour.

import { toVisible } from "./visible-text.ts";

export type Tone = "good" | "bad" | "open" | "plain";

/** Converts a state of the contract to words: `UNKNOWN_HANDSET` to "Unknown handset". */
export function toWords(state: string): string {
  const words = state.toLowerCase().replaceAll("_", " ");
  return toVisible(words.charAt(0).toUpperCase() + words.slice(1));
}

const tones: Readonly<Record<string, Tone>> = {
  DELIVERED: "good",
  SUCCESS: "good",
  FAILED: "bad",
  UNDELIVERED: "bad",
  EXPIRED: "bad",
  SENT: "open",
  SENDING: "open",
  UNKNOWN: "open",
  PARTIAL: "open",
  PENDING: "open",
};

export interface StateProps {
  readonly state: string;
  /** @default that of the state's name */
  readonly tone?: Tone;
  /** Why, in words. */
  readonly reason?: string | null;
}

export function State({ state, tone = tones[state] ?? "plain", reason = null }: StateProps) {
  return (
    <>
      <span class="chip" data-tone={tone}>
        {toWords(state)}
      </span>
      {reason !== null && (
        <span class="reason" title={reason}>
          {" "}
          {reason}
        </span>
      )}
    </>
  );
}
