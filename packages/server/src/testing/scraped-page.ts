// For tests: parses a page of metrics strictly by Prometheus' text format (version 0.0.4) and naming rules.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  // the format allows a histogram without a sum and a count
  summary: [""],
  histogram: ["_bucket", "_sum", "_count"],
};
const PAIR = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"/;

/** Returns the page's metrics by name. Throws on the first line that breaks a rule. */
export function readScrapedPage(page: string): Map<string, Family> {
  if (!page.endsWith("\n")) throw new Error("the last line of the page has no line end");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  const lines = page.slice(0, -1).split("\n");
  let current: Family | undefined;
  for (const [index, line] of lines.entries()) {
    const [, name, help] = /^# HELP ([a-zA-Z_:][\w:]*) (\S.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      const [, typed, type] = /^# TYPE (\S+) (counter|gauge|summary|histogram)$/.exec(lines[index + 1] ?? "") ?? [];
      if (typed !== name || type === undefined) throw new Error(`no type follows: ${line}`);
      if (families.has(name)) throw new Error(`described twice: ${name}`);
      if ((type === "counter") !== name.endsWith("_total"))
        throw new Error(`a counter, and nothing else, ends in _total: ${name}`);
      current = { name, type, help: String(help), samples: [] };
      families.set(name, current);
    } else if (!line.startsWith("# TYPE ")) {
      const sample = readSample(line);
      const series = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      if (seen.has(series)) throw new Error(`twice: ${line}`);
      seen.add(series);
      const family = current;
      if (!SUFFIXES[family?.type ?? ""]?.some((suffix) => sample.name === `${family?.name}${suffix}`)) {
        throw new Error(`not of ${family?.name}: ${line}`);
      }
      family?.samples.push(sample);
    } else if (!lines[index - 1]?.startsWith("# HELP ")) throw new Error(`a type without a help: ${line}`);
  }
  for (const family of families.values()) check(family);
  return families;
}

function readSample(line: string): Sample {
  const [, name, , list = "", value] = /^([a-zA-Z_:][\w:]*)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = list; rest !== ""; ) {
    const [pair, label = "", word = ""] = PAIR.exec(rest) ?? [];
    if (pair === undefined || Object.hasOwn(labels, label)) throw new Error(`not labels: ${line}`);
    labels[label] = word;
    rest = rest.slice(pair.length);
    if (rest === "") break;
    if (!/^,./.test(rest)) throw new Error(`not labels: ${line}`);
    rest = rest.slice(1);
  }
  if (!/^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/.test(String(value))) throw new Error(`not a number: ${line}`);
  return { name, labels, value: Number(value) };
}

/** Words that `promtool check metrics` refuses in names: units that are not base units, and types of metrics. */
const NOT_OF_A_NAME =
  /(?:^|_)(?:ms|us|ns|milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|weeks?|bits?|[kmgt]i?b|kilobytes?|megabytes?|gigabytes?|percent|counter|gauge|histogram|summary)(?:_|$)/;

function checkName({ name, type, samples }: Family): void {
  const labels = samples.flatMap((sample) => Object.keys(sample.labels));
  if ([name, ...labels].some((word) => /[A-Z:]/.test(word))) throw new Error(`not in snake case: ${name}`);
  if (NOT_OF_A_NAME.test(name)) throw new Error(`not a base unit, or a type in the name: ${name}`);
  const endsAsPart = /_(?:sum|count|bucket)$/.test(name);
  if (endsAsPart) throw new Error(`ends as a part of a histogram: ${name}`);
  if (type !== "histogram" && labels.includes("le")) throw new Error(`a label le outside a histogram: ${name}`);
}

function check(family: Family): void {
  checkName(family);
  const { name, type, samples } = family;
  if (type === "counter" && samples.some(({ value }) => value < 0)) throw new Error(`a counter below zero: ${name}`);
  if (type !== "summary" && samples.some(({ labels }) => labels.quantile !== undefined))
    throw new Error(`a label quantile outside a summary: ${name}`);
  if (type !== "histogram") return;
  for (const [series, parts] of groupByLabels(samples)) {
    const buckets = parts.filter((part) => part.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le)));
    const rises = (values: number[], mayStay: boolean) =>
      values.every((value, index) => {
        const before = values[index - 1];
        return before === undefined || value > before || (mayStay && value === before);
      });
    const total = parts.find((part) => part.name === `${name}_count`)?.value;
    const isWhole =
      rises(bounds, false) &&
      bounds.at(-1) === Number.POSITIVE_INFINITY &&
      rises(
        buckets.map(({ value }) => value),
        true,
      ) &&
      buckets.at(-1)?.value === total &&
      parts.filter((part) => part.name === `${name}_sum`).length === 1;
    if (!isWhole) throw new Error(`not a histogram: ${name} ${series}`);
  }
}

/** Groups the samples of a histogram by their labels without `le`. */
function groupByLabels(samples: readonly Sample[]): Map<string, Sample[]> {
  const found = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const series = JSON.stringify(Object.entries(labels).sort());
    found.set(series, [...(found.get(series) ?? []), sample]);
  }
  return found;
}
