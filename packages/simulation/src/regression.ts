import type { Plan } from "./plan/plan.ts";

/** A plan that failed once, made as small as it got. */
export interface Regression {
  /** What was not true. */
  readonly invariant: string;
  /** In what way it was not. */
  readonly found: string;
  readonly plan: Plan;
}
