/** `--query`: applies a JMESPath expression to an answer. The JMESPath library is loaded only if the flag is given. */

import { CliError, type Fault, UsageError } from "../../failures/errors.ts";
import { readMessage } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { withBigints, withoutBigints } from "./query-integers.ts";
import { describeCallPlace, describePlace, LITERALS, misreading } from "./query-place.ts";

export type Query = (data: unknown) => unknown;

type Language = typeof import("../../libraries/jmespath.ts");
type Node = ReturnType<Language["compile"]>;
type Value = Parameters<Language["TreeInterpreter"]["search"]>[1];

export type CompiledQuery = { ok: true; query: Query } | { ok: false; expected: string };

/** Compiles the expression. Also checks the names of its functions and the number of their arguments. */
export async function compileQuery(expression: string): Promise<CompiledQuery> {
  const language = await import("../../libraries/jmespath.ts");
  const refuse = (reason: string, place = "") => {
    const where = place === "" ? reason : `${reason} ${place}`;
    return { ok: false, expected: `a JMESPath expression, such as [].status (${where})` } as const;
  };
  let root: Node;
  try {
    const misread = misreading(expression, language);
    if (misread !== undefined) return refuse("Syntax error", misread);
    root = language.compile(expression, LITERALS);
  } catch (error) {
    const message = readMessage(error);
    const place = describePlace(expression, message, language);
    return place === "" ? refuse(message) : refuse("Syntax error", place);
  }
  for (const call of callsIn(root)) {
    const fault = callFault(call, language);
    if (fault !== undefined) return refuse(fault, describeCallPlace(expression, call.name, language));
  }
  return { ok: true, query: (data) => evaluate(root, data, language) };
}

/** Compiles the expression. @throws {UsageError} If it is invalid. */
export async function requireQuery(expression: string): Promise<Query> {
  const compiled = await compileQuery(expression);
  if (compiled.ok) return compiled.query;
  throw new UsageError(`--query: received ${JSON.stringify(expression)}; expected ${compiled.expected}`, [
    "Run `msgctl help output`.",
  ]);
}

/** Compiles the value of --query. Returns undefined without the flag. If the expression is invalid, adds a fault. */
export async function readQuery(expression: string | undefined, faults: Fault[]): Promise<Query | undefined> {
  if (expression === undefined) return undefined;
  const compiled = await compileQuery(expression);
  if (compiled.ok) return compiled.query;
  faults.push({ where: "--query", message: `received ${JSON.stringify(expression)}; expected ${compiled.expected}` });
  return undefined;
}

interface CallNode {
  readonly type: "Function";
  readonly name: string;
  readonly children: readonly unknown[];
}

function callsIn(node: unknown): CallNode[] {
  if (typeof node !== "object" || node === null || ("type" in node && node.type === "Literal")) return [];
  const inside = Object.values(node).flatMap(callsIn);
  return "type" in node && node.type === "Function" ? [node as CallNode, ...inside] : inside;
}

/** Checks a function call in advance: the library would report it only on evaluation, after the request was sent. */
function callFault({ name, children }: CallNode, { TreeInterpreter }: Language): string | undefined {
  const call = { type: "Function", name, children: children.map(() => ({ type: "Literal", value: null })) };
  try {
    TreeInterpreter.search(call as Node, null);
  } catch (error) {
    // The check passes null arguments, so other errors do not mean that the expression is wrong.
    const message = readMessage(error);
    if (/^(?:unknown function|invalid arity)/i.test(message)) return message;
  }
  return undefined;
}

function evaluate(root: Node, data: unknown, { TreeInterpreter }: Language): unknown {
  const { value, exact } = withoutBigints(data ?? null);
  try {
    return withBigints(TreeInterpreter.search(root, value as Value) ?? null, exact);
  } catch (error) {
    throw new CliError(
      EXIT.internal,
      "query_failed",
      `the request succeeded, but --query failed: ${readMessage(error)}`,
      {
        hints: ["The request itself succeeded. See the whole response with -o json and without --query."],
        cause: error,
      },
    );
  }
}
