import { format, type Labels, series } from "./metrics-text.ts";

/** Counts values into ranges that each end at a bound, inclusive; bounds rise. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  /** Prometheus' lines; `scale` turns the unit that was observed into the one that is shown. */
  render(name: string, { scale = 1, labels = {} }: { scale?: number; labels?: Labels } = {}): string {
    let total = 0;
    const buckets = Array.from(this.#counts, (count, index) => {
      total += count;
      const bound = this.#bounds[index];
      const le = bound === undefined ? "+Inf" : format(bound * scale);
      return series(`${name}_bucket`, { ...labels, le }, total);
    });
    return [...buckets, series(`${name}_sum`, labels, this.#sum * scale), series(`${name}_count`, labels, total)].join(
      "",
    );
  }
}
