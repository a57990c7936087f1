import { hash } from "node:crypto";
import { canonicalText } from "./canonical-text.ts";

/** Raised when speech made before could no longer be used for what is asked now. */
const VERSION = 1;

/** What decides how speech sounds. */
export interface SpeechRequest {
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  readonly language: string;
  readonly text: string;
}

/** One key for each speech that has to be made: texts that differ in Unicode composition only sound the same. */
export function speechKey({ provider, model, voice, language, text }: SpeechRequest): string {
  const request = { version: VERSION, provider, model, voice, language, text: text.normalize("NFC") };
  return hash("sha256", canonicalText(request), "hex");
}
