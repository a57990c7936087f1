import type { Problem } from "../model.ts";
import { type Entry, isRecord } from "./source.ts";

/** Top-level keys of the document that hold texts about codes. The names are those that error messages use. */
const WORDS = { cause: "x-error-causes", hint: "x-error-hints" } as const;

/**
 * Reads the table of problem codes: the code from the enum `ProblemCode`, its title and status from the one example of
 * that name in `components.examples`, its cause from `x-error-causes` and its hint from `x-error-hints`.
 *
 * @param pages the path of the pages about codes; the type of each problem must be the path of its page
 */
export function readProblems(root: Entry, pages: string): Problem[] {
  const components = root.at("components");
  const codes = components.at("schemas").at("ProblemCode").at("enum");
  const known = codes.texts();
  for (const place of Object.values(WORDS)) {
    for (const words of root.at(place).entries()) {
      if (!known.includes(words.key))
        words.fault(`${place} has the code ${words.key}, which is not in the enum ProblemCode.`);
    }
  }
  for (const example of components.at("examples").entries()) checkExample(example, known);
  return codes.items().map((code) => readProblem(root, code, { examples: components.at("examples"), pages }));
}

function readProblem(root: Entry, code: Entry, { examples, pages }: { examples: Entry; pages: string }): Problem {
  const name = String(code.value);
  const cause = readWords(root, code, "cause");
  const hint = readWords(root, code, "hint");
  const example = examples.at(name);
  if (!example.exists) {
    code.fault(`The problem code ${name} has no example: write components.examples.${name}.`);
    return { code: name, status: 0, title: "", cause, hint, example: {} };
  }
  const value = example.at("value");
  const type = value.at("type");
  if (type.text() !== pages + name) type.fault(`The type of ${name} must be the path of its page: ${pages}${name}.`);
  return {
    code: name,
    status: readStatus(value.at("status")),
    title: value.at("title").text(),
    cause,
    hint,
    example: isRecord(value.value) ? value.value : {},
  };
}

function readWords(root: Entry, code: Entry, kind: keyof typeof WORDS): string {
  const words = root.at(WORDS[kind]).at(String(code.value));
  if (!words.exists) code.fault(`The problem code ${code.value} has no ${kind}: write one under ${WORDS[kind]}.`);
  return words.optionalText() ?? "";
}

function readStatus(entry: Entry): number {
  if (typeof entry.value === "number" && entry.value >= 400 && entry.value <= 599) return entry.value;
  entry.fault("The example of a problem must have its HTTP status, 400 to 599.");
  return 0;
}

/** An example with a `code` must be named after its code, so that no code has two examples. */
function checkExample(example: Entry, codes: readonly string[]): void {
  const value = example.at("value");
  const code = value.at("code");
  const isProblem = codes.includes(example.key) || (isRecord(value.value) && "status" in value.value && code.exists);
  if (!isProblem) return;
  if (code.value !== example.key)
    code.fault(`The example of a problem must be named after its code: ${example.key} has the code ${code.value}.`);
  if (!codes.includes(example.key)) example.fault(`The problem code ${example.key} is not in the enum ProblemCode.`);
}
