// Prometheus' text format, version 0.0.4. Its words are the program's own, or made harmless: nothing has to be escaped.

type Kind = "counter" | "gauge" | "summary" | "histogram";

export type Labels = Readonly<Record<string, string | number>>;

/** Renders the header of a metric, which precedes its series. */
export function describe(name: string, kind: Kind, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
}

export function series(name: string, labels: Labels, value: number): string {
  const own = pairs(labels);
  return `${name}${own === "" ? "" : `{${own}}`} ${format(value)}\n`;
}

/** Renders labels as they appear between braces. */
export function pairs(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, word]) => `${label}="${word}"`)
    .join(",");
}

/** Renders series that differ in one label, whose values are the keys of `counts`. */
export function tally(
  name: string,
  label: string,
  counts: Readonly<Record<string, number>>,
  labels: Labels = {},
): string {
  return Object.entries(counts)
    .map(([word, count]) => series(name, { ...labels, [label]: word }, count))
    .join("");
}

/** Renders a gauge without labels. */
export function gauge(name: string, help: string, value: number): string {
  return describe(name, "gauge", help) + series(name, {}, value);
}

/** Rounds away the noise of binary fractions. */
export function format(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
}
