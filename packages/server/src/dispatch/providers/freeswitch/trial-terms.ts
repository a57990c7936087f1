import { speechKey } from "../../../rules/speech.ts";
import type { CallTerms } from "../provider.ts";

const voice = { voice: "default", language: "en-US" };
const RING_SECONDS = 30;

/** The terms of a call that tries the carrier: nobody asked for its speech before. */
export function trialTerms(text: string): CallTerms {
  const speech = speechKey({ provider: "trial", model: "trial", ...voice, text });
  return { speech, ...voice, isRecorded: false, ringSeconds: RING_SECONDS };
}
