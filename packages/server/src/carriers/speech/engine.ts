// The port between the server and a speech engine.

export interface SpeechOrder {
  /** Identifies the order after a lost answer. The same speech always has the same reference. */
  readonly reference: string;
  readonly text: string;
  readonly language: string;
  readonly voice: string;
}

/** `failed` proves that this order made no speech and never will. */
export type SpeechOutcome = { readonly outcome: "made" } | { readonly outcome: "failed"; readonly detail: string };

/** `absent` proves that the engine has not accepted the order and never will; `unknown` proves nothing. */
export type SpeechFinding = "made" | "absent" | "unknown";

export interface SpeechEngine {
  readonly name: string;
  readonly model: string;
  /** Returns the engine's voice for a voice profile; the choice may depend on the recipient. */
  voiceFor(call: { voiceProfile: string; to: string }): string;
  /** If the promise rejects, it is unknown whether the speech was made. */
  synthesize(order: SpeechOrder, signal: AbortSignal): Promise<SpeechOutcome>;
  /** Looks up the order with this reference. A rejection counts as `unknown`. */
  find(reference: string, signal: AbortSignal): Promise<SpeechFinding>;
}

/** An engine that stores its speech in files. */
export interface SpeechFiles extends SpeechEngine {
  /** Returns the path of a speech's WAV file. If the file was removed, makes the speech again. */
  fileOf(order: SpeechOrder): Promise<string>;
}
