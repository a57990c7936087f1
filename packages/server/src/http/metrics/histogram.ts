import { format, type Labels, pairs, series } from "./metrics-text.ts";

/** Counts values in buckets with ascending, inclusive upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #scale: number;
  readonly #counts: Float64Array;
  #sum = 0;

  /** `scale` turns the unit that is observed into the one that is shown. */
  constructor(bounds: readonly number[], scale = 1) {
    this.#bounds = bounds;
    this.#scale = scale;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  /** Renders the lines for Prometheus. */
  render(name: string, labels: Labels = {}): string {
    const own = pairs(labels);
    const start = `${name}_bucket{${own}${own === "" ? "" : ","}le="`;
    let lines = "";
    let total = 0;
    this.#counts.forEach((count, index) => {
      total += count;
      const bound = this.#bounds[index];
      lines += `${start}${bound === undefined ? "+Inf" : format(bound * this.#scale)}"} ${total}\n`;
    });
    return lines + series(`${name}_sum`, labels, this.#sum * this.#scale) + series(`${name}_count`, labels, total);
  }
}
