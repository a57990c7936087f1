import { toVisible } from "./visible-text.ts";

export type Tone = "good" | "bad" | "open";

/** Converts a state of the contract to words. */
export function toWords(state: string): string {
  return toVisible(state.toLowerCase().replaceAll("_", " "));
}

/** Shows a state by its words and a colour. */
export function State({ state, tone }: { readonly state: string; readonly tone: Tone }) {
  return (
    <span class="status" data-tone={tone}>
      {toWords(state)}
    </span>
  );
}
