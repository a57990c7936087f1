// The speech of carriers that speak a call's text themselves: such a carrier gets the text, and nothing is made for it.

import type { Provider } from "../provider.ts";
import type { SpeechEngine } from "./engine.ts";

export const carrierSpeech: SpeechEngine = {
  name: "carrier",
  model: "text",
  voiceFor: ({ voiceProfile }) => voiceProfile,
  synthesize: async () => ({ outcome: "made" }),
  find: async () => "made",
};

/** Lets calls of a carrier begin without a speech engine. Keeps the carrier's own engine, if it has one. */
export function withCarrierSpeech(carrier: Provider): Provider {
  return carrier.speech === undefined ? Object.assign(carrier, { speech: carrierSpeech }) : carrier;
}
