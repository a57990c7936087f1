import type { SpeechEngine, SpeechFinding, SpeechOutcome } from "@msgctl/server/parts";
import type { CarrierParts } from "./carrier.ts";
import type { MachineProcess } from "./machine.ts";

/** A speech engine, which keeps what it made whatever becomes of the instances. */
export class Engine {
  readonly #parts: CarrierParts;
  readonly #made = new Set<string>();
  isDown = false;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  connect(process: MachineProcess): SpeechEngine {
    const { chances, wires } = this.#parts;
    const ask = <T>(label: string, serve: () => T | undefined) =>
      wires.ask(process, `engine ${label}`, chances.fate(this.isDown), serve);
    return {
      name: "simulated",
      model: "one",
      voiceFor: () => "voice",
      synthesize: ({ reference }) => ask<SpeechOutcome>(`make ${reference}`, () => this.#make(reference)),
      find: (reference) => ask<SpeechFinding>(`find ${reference}`, () => this.#find(reference)),
    };
  }

  #make(reference: string): SpeechOutcome | undefined {
    if (this.#parts.chances.happens("engine fails")) return { outcome: "failed", detail: "out of voice" };
    this.#made.add(reference);
    return { outcome: "made" };
  }

  #find(reference: string): SpeechFinding {
    return this.#made.has(reference) ? "made" : "absent";
  }
}
