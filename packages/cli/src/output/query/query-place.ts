/** Finds the position of an error in a JMESPath expression, which the library does not report. */
type Language = typeof import("../../libraries/jmespath.ts");

/** As in the AWS CLI, a bare word between backticks is a string. */
export const LITERALS = { enable_legacy_literals: true };

/** Longest expression whose error gets a position, since finding it takes one parse per token. */
const LONGEST_CHARACTERS = 2_000;

/** Finds mistakes that the library accepts: a quote that is not closed, and a single `=`, which compares nothing. */
export function misreading(expression: string, { tokenize }: Language): string | undefined {
  const quote = openQuote(expression);
  if (quote !== undefined) return `at character ${quote + 1}: the quote ${expression[quote]} is not closed`;
  const tokens = tokenize(expression, LITERALS);
  const single = tokens.find(({ type }, index) => type === "Assign" && tokens[index - 1]?.type !== "Variable");
  return single && `at character ${single.start + 1}, "=": write == to compare`;
}

/** Describes the position of an error: `at character 12, "]"`. Empty if it cannot be found. */
export function describePlace(expression: string, message: string, language: Language): string {
  if (expression.length > LONGEST_CHARACTERS) return "";
  const unknown = /unknown character: (.)$/u.exec(message)?.[1];
  if (unknown !== undefined) return describeCharacterPlace(expression, unknown, language);
  const tokens = readTokens(expression, language);
  if (tokens === undefined) return "";
  for (const [index, { start }] of tokens.entries()) {
    const end = tokens[index + 1]?.start ?? expression.length;
    // A prefix without a mistake fails only because it ends too early, so the first token with another error is the mistake.
    if (!/^$|EOF/.test(complaint(expression.slice(0, end), language)))
      return `at character ${start + 1}, "${expression.slice(start, end).trim()}"`;
  }
  return "at its end";
}

/** Describes the position of the call of a function, if there is only one call. */
export function describeCallPlace(expression: string, name: string, { tokenize }: Language): string {
  const tokens = tokenize(expression, LITERALS);
  const calls = tokens.filter(({ value }, index) => value === name && tokens[index + 1]?.type === "Lparen");
  return calls.length === 1 ? `at character ${(calls[0]?.start ?? 0) + 1}, "${name}"` : "";
}

function describeCharacterPlace(expression: string, character: string, { tokenize }: Language): string {
  for (let at = expression.indexOf(character); at !== -1; at = expression.indexOf(character, at + 1)) {
    try {
      // inside quotes the character is valid
      tokenize(expression.slice(0, at + 1), LITERALS);
    } catch (error) {
      if (String(error).endsWith(`unknown character: ${character}`)) return `at character ${at + 1}, "${character}"`;
    }
  }
  return "";
}

/** Returns undefined if a quoted string is invalid. */
function readTokens(expression: string, { tokenize }: Language) {
  try {
    return tokenize(expression, LITERALS);
  } catch {
    return undefined;
  }
}

function complaint(expression: string, { compile }: Language): string {
  try {
    compile(expression, LITERALS);
    return "";
  } catch (error) {
    return String(error);
  }
}

function openQuote(expression: string): number | undefined {
  let open: number | undefined;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at] ?? "";
    if (open === undefined) open = /['"`]/.test(character) ? at : undefined;
    else if (character === "\\") at += 1;
    else if (character === expression[open]) open = undefined;
  }
  return open;
}
