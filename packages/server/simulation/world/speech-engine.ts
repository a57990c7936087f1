import type { SpeechEngine, SpeechFinding, SpeechOutcome } from "../../src/carriers/speech/engine.ts";
import type { CarrierOptions } from "./carrier.ts";
import type { MachineProcess } from "./machine.ts";

/** A simulated speech engine. It keeps its speeches when instances crash or restart. */
export class Engine {
  readonly #options: CarrierOptions;
  readonly #made = new Set<string>();
  /** References of speeches that were made more than once. */
  readonly madeTwice: string[] = [];
  /** Time of the last answer "absent", by reference. Requests to make this speech that were sent earlier are ignored. */
  readonly #disowned = new Map<string, number>();
  isDown = false;

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  connect(process: MachineProcess): SpeechEngine {
    const { chances, wires } = this.#options;
    const ask = <T>(label: string, serve: () => T | undefined) =>
      wires.ask(process, `engine ${label}`, chances.fate(this.isDown), serve);
    return {
      name: "simulated",
      model: "one",
      voiceFor: () => "voice",
      synthesize: ({ reference }) => {
        const begun = this.#options.scheduler.now;
        return ask<SpeechOutcome>(`make ${reference}`, () => this.#make(reference, begun));
      },
      find: (reference) => ask<SpeechFinding>(`find ${reference}`, () => this.#find(reference)),
    };
  }

  #make(reference: string, begun: number): SpeechOutcome | undefined {
    if (begun <= (this.#disowned.get(reference) ?? -1)) return undefined;
    if (this.#options.chances.happens("engine fails")) return { outcome: "failed", detail: "out of voice" };
    if (this.#made.has(reference)) this.madeTwice.push(reference);
    this.#made.add(reference);
    return { outcome: "made" };
  }

  #find(reference: string): SpeechFinding {
    if (this.#made.has(reference)) return "made";
    this.#disowned.set(reference, this.#options.scheduler.now);
    return "absent";
  }
}
