// The port between the server and whoever turns text into speech.

export interface SpeechOrder {
  /** The same for the same speech: what the engine is asked by when an answer was lost. */
  readonly reference: string;
  readonly text: string;
  readonly language: string;
  readonly voice: string;
}

/** `failed` proves that there is no such speech, and will be none of this order. */
export type SpeechOutcome = { readonly outcome: "made" } | { readonly outcome: "failed"; readonly detail: string };

/** `absent` is proof that the order was not and will not be taken; `unknown` proves nothing. */
export type SpeechFinding = "made" | "absent" | "unknown";

export interface SpeechEngine {
  readonly name: string;
  readonly model: string;
  /** The engine's own voice for a profile; it may depend on who listens. */
  voiceFor(call: { voiceProfile: string; to: string }): string;
  /** A rejection means that nobody knows whether the speech was made. */
  synthesize(order: SpeechOrder, signal: AbortSignal): Promise<SpeechOutcome>;
  /** What became of the order under this reference. A rejection counts as `unknown`. */
  find(reference: string, signal: AbortSignal): Promise<SpeechFinding>;
}
