/** `--query`, ready before anything is sent. The language is loaded only where it is spoken. */
import type { Fault } from "../errors.ts";
import type { Query } from "./query.ts";

/** Undefined without an expression, and with one that is none: the fault then says so. */
export async function readQuery(expression: string | undefined, faults: Fault[]): Promise<Query | undefined> {
  if (expression === undefined) return undefined;
  const { compileQuery } = await import("./query.ts");
  const compiled = compileQuery(expression);
  if (compiled.ok) return compiled.query;
  faults.push({ where: "--query", message: `received ${JSON.stringify(expression)}; expected ${compiled.expected}` });
  return undefined;
}
