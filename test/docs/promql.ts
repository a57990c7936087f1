// Parses the part of PromQL that the alerts and the dashboard use. Returns the series that an expression selects and the
// labels that it groups by. Throws for an expression with any other syntax.

export interface Matcher {
  readonly label: string;
  readonly operator: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels named by `by` and `on`. */
  readonly labels: readonly string[];
}

const FUNCTIONS = new Set([
  ...["sum", "min", "max", "topk", "rate", "increase", "changes", "absent", "abs", "predict_linear"],
  ...["histogram_quantile", "clamp_min", "vector", "time"],
]);
const OPERATORS = new Set(["and", "or", "unless", "offset"]);
const GROUPINGS = new Set(["by", "on"]);
const TOKEN =
  /\s+|\d+[smhd]\b|\d+(?:\.\d+)?(?:e\d+)?|[a-zA-Z_:][\w:]*|\[(?:\d+[smhd]|\$__rate_interval)\]|"[^"\\]*"|[=!]~|[<>=!]=|[-+*/<>=(),{}]/y;

export function readExpression(text: string): Expression {
  const tokens = tokenize(text);
  const selectors: Selector[] = [];
  const labels: string[] = [];
  let depth = 0;
  let token = tokens.shift();

  function expect(wanted: RegExp): string {
    const taken = tokens.shift() ?? "the end";
    if (!wanted.test(taken)) throw new Error(`expected ${wanted}, found ${taken} in: ${text}`);
    return taken;
  }

  function readNames(): void {
    expect(/^\($/);
    do labels.push(expect(/^\w+$/));
    while (expect(/^[,)]$/) === ",");
  }

  function readMatchers(): Matcher[] {
    const matchers: Matcher[] = [];
    if (tokens[0] !== "{") return matchers;
    tokens.shift();
    do {
      const label = expect(/^\w+$/);
      const operator = expect(/^(=|!=|=~|!~)$/) as Matcher["operator"];
      matchers.push({ label, operator, value: expect(/^"/).slice(1, -1) });
    } while (expect(/^[,}]$/) === ",");
    return matchers;
  }

  for (; token !== undefined; token = tokens.shift()) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (/^[a-zA-Z_]/.test(token) && !OPERATORS.has(token)) {
      if (GROUPINGS.has(token)) readNames();
      else if (FUNCTIONS.has(token)) {
        if (tokens[0] !== "(" && !GROUPINGS.has(tokens[0] ?? ""))
          throw new Error(`${token} has no operand in: ${text}`);
      } else selectors.push({ metric: token, matchers: readMatchers() });
    } else if (/^["{}=]$/.test(token)) throw new Error(`${token} belongs to no metric in: ${text}`);
    if (depth < 0) break;
  }
  if (depth !== 0) throw new Error(`brackets do not match in: ${text}`);
  return { selectors, labels };
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new Error(`not understood: ${text.slice(at, at + 20)} in: ${text}`);
    if (token.trim() !== "") tokens.push(token);
  }
  return tokens;
}

/** Whether a series with these labels is selected. Prometheus matches a pattern against the whole value. */
export function isAsked({ matchers }: Selector, labels: Readonly<Record<string, string>>): boolean {
  return matchers.every(({ label, operator, value }) => {
    const found = labels[label] ?? "";
    const isSame = operator.includes("~") ? new RegExp(`^(?:${value})$`).test(found) : found === value;
    return isSame !== operator.startsWith("!");
  });
}
