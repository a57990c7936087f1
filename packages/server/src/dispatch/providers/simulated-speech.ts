// A speech engine that makes no sound, and records what it made in the simulated provider's ledger.

import type { Clock } from "../../platform/clock.ts";
import type { SpeechEngine } from "../calls/engine.ts";
import type { SimulatedLedger } from "./simulated-ledger.ts";

export interface SimulatedSpeech extends SpeechEngine {
  /** How often the speech was made: once, unless the server is broken. */
  countSyntheses(reference: string): Promise<number>;
}

const SYNTHESIS_MS = 250;
/** The voice of numbers that no speech can be made for: `+1 NPA 555 0137`. */
const SPEECHLESS = "speechless";
const SPEECHLESS_NUMBER = /^\+1\d{3}5550137$/;

export function createSimulatedSpeech(ledger: SimulatedLedger, clock: Clock): SimulatedSpeech {
  return {
    name: "simulated",
    model: "simulated-1",
    voiceFor: ({ voiceProfile, to }) => (SPEECHLESS_NUMBER.test(to) ? SPEECHLESS : voiceProfile),
    async synthesize({ reference, voice }, signal) {
      await wait(clock, SYNTHESIS_MS, signal);
      if (voice === SPEECHLESS) return { outcome: "failed", detail: "the voice is out of order" };
      await ledger.addSpeech(reference);
      return { outcome: "made" };
    },
    find: async (reference) => ((await ledger.countSpeech(reference)) > 0 ? "made" : "absent"),
    countSyntheses: (reference) => ledger.countSpeech(reference),
  };
}

function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + milliseconds, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      reject(signal.reason);
    });
  });
}
