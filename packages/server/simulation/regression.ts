import { readdirSync, readFileSync } from "node:fs";
import type { Engine, Plan } from "./plan/plan.ts";

/** A plan that failed once, made as small as it got. */
export interface Regression {
  /** What was not true. */
  readonly invariant: string;
  /** In what way it was not. */
  readonly found: string;
  readonly plan: Plan;
}

const folder = new URL("regressions/", import.meta.url);

/** The plans of those that failed on an engine, by file. */
export function readRegressions(on: Engine): [file: string, plan: Plan][] {
  const all = readdirSync(folder).map((file): [string, Plan] => {
    const { plan } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Regression;
    return [file, plan];
  });
  return all.filter(([, plan]) => (plan.engine === "postgres") === (on === "postgres"));
}
