import type {
  PaymentFinding,
  PaymentNews,
  PaymentOrder,
  PaymentProcessor,
} from "../../src/carriers/payment-processor.ts";
import type { CarrierOptions } from "./carrier.ts";
import type { MachineProcess } from "./machine.ts";

/** Range of a late answer's delay, in microseconds. Instances still wait for an answer that late. */
const LEAST_LATE_US = 100_000;
const LATEST_US = 8_000_000;

/** A payment processor. It charges each reference once, and keeps its records whatever happens to the instances. */
export class Processor {
  readonly #options: CarrierOptions;
  readonly #taken = new Map<string, readonly PaymentNews[]>();

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  connect(process: MachineProcess): PaymentProcessor {
    const { chances, wires, random } = this.#options;
    const ask = <T>(label: string, serve: () => T | undefined) => {
      const lateBy = chances.happens("processor's answer is late") ? random.spread(LEAST_LATE_US, LATEST_US) : 0;
      return wires.ask(process, `processor ${label}`, { ...chances.fate(), lateBy }, serve);
    };
    return {
      submit: (order) =>
        ask<PaymentFinding>(`submit ${order.reference}`, () => ({ outcome: "taken", news: this.#take(order) })),
      find: ({ reference }) => ask<PaymentFinding>(`find ${reference}`, () => this.#find(reference)),
    };
  }

  #take({ reference }: PaymentOrder): readonly PaymentNews[] {
    const known = this.#taken.get(reference);
    if (known !== undefined) return known;
    const isRefused = this.#options.chances.happens("processor refuses");
    const end: PaymentNews = isRefused
      ? { afterMs: 2_000, status: "FAILED", reason: "card_declined" }
      : { afterMs: 2_000, status: "SUCCEEDED", reason: null };
    const news: PaymentNews[] = [{ afterMs: 500, status: "PROCESSING", reason: null }, end];
    this.#taken.set(reference, news);
    return news;
  }

  #find(reference: string): PaymentFinding {
    const news = this.#taken.get(reference);
    return news === undefined ? { outcome: "absent" } : { outcome: "taken", news };
  }
}
