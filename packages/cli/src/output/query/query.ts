/** `--query`: a JMESPath expression over an answer. The library is loaded only when it is used. */

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

/** Compiles the expression, checking the names of its functions and the number of their arguments. */
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

/** Compiles the expression. @throws {UsageError} When it is not valid. */
export async function requireQuery(expression: string): Promise<Query> {
  const compiled = await compileQuery(expression);
  if (compiled.ok) return compiled.query;
  throw new UsageError(`--query: received ${JSON.stringify(expression)}; expected ${compiled.expected}`, [
    "Run `msgctl help output`.",
  ]);
}

/** Reads the flag: undefined without one, or for an invalid expression, which adds a fault. */
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

/** The library reports an unknown function only on reaching it, which can be after the request was sent. */
function callFault({ name, children }: CallNode, { TreeInterpreter }: Language): string | undefined {
  const call = { type: "Function", name, children: children.map(() => ({ type: "Literal", value: null })) };
  try {
    TreeInterpreter.search(call as Node, null);
  } catch (error) {
    // The arguments are all null, so any other error says nothing about the expression.
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
