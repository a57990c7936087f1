import { readdirSync, readFileSync } from "node:fs";
import type { Engine, Plan } from "./plan/plan.ts";

/** A plan that failed once, shrunk as far as possible. */
export interface Regression {
  /** Name of the invariant that did not hold. */
  readonly invariant: string;
  /** Details of the violation. */
  readonly found: string;
  readonly plan: Plan;
}

const folder = new URL("regressions/", import.meta.url);

/** Reads the plans that once failed on an engine, each with its file name. */
export function readRegressions(on: Engine): [file: string, plan: Plan][] {
  const all = readdirSync(folder).map((file): [string, Plan] => {
    const { plan } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Regression;
    return [file, plan];
  });
  return all.filter(([, plan]) => (plan.engine === "postgres") === (on === "postgres"));
}
