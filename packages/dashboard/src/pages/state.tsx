import { toVisible } from "./visible-text.ts";

export type Tone = "good" | "bad" | "open";

/** A state of the contract as words. */
export function toWords(state: string): string {
  return toVisible(state.toLowerCase().replaceAll("_", " "));
}

/** A state by word and by colour. */
export function State({ state, tone }: { readonly state: string; readonly tone: Tone }) {
  return (
    <span class="status" data-tone={tone}>
      {toWords(state)}
    </span>
  );
}
