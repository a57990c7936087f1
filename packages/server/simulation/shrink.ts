// Shrinks a failing plan: removes acts, faults and instances for as long as the plan fails in the same way.

import type { Plan } from "./plan/plan.ts";

/** Returns whether a smaller plan still fails as the original did. */
export type StillFails = (plan: Plan) => Promise<boolean>;

/** Maximum number of plans to try. */
const MOST_TRIES = 600;

export async function shrink(plan: Plan, stillFails: StillFails): Promise<Plan> {
  let smallest = plan;
  let tries = 0;
  const keepIfFails = async (smaller: Plan): Promise<boolean> => {
    if (tries >= MOST_TRIES) return false;
    tries += 1;
    if (!(await stillFails(smaller))) return false;
    smallest = smaller;
    return true;
  };
  for (let before: Plan | undefined; before !== smallest; ) {
    before = smallest;
    await dropActs(() => smallest, keepIfFails);
    for (const fault of Object.keys(smallest.rates) as (keyof Plan["rates"])[]) {
      const { [fault]: _, ...rates } = smallest.rates;
      await keepIfFails({ ...smallest, rates });
    }
    for (const site of smallest.sites)
      await keepIfFails({ ...smallest, sites: smallest.sites.filter((other) => other !== site) });
    for (const what of smallest.unhealed) {
      await keepIfFails({ ...smallest, unhealed: smallest.unhealed.filter((other) => other !== what) });
    }
    if (smallest.skewsMs.length > 1) await keepIfFails({ ...smallest, skewsMs: smallest.skewsMs.slice(0, -1) });
    if (smallest.skewsMs.some((skew) => skew !== 0))
      await keepIfFails({ ...smallest, skewsMs: smallest.skewsMs.map(() => 0) });
  }
  return smallest;
}

/** Drops halves, then quarters and so on, down to single acts. */
async function dropActs(current: () => Plan, keepIfFails: StillFails): Promise<void> {
  for (let size = Math.ceil(current().acts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < current().acts.length; ) {
      const plan = current();
      const acts = plan.acts.filter((_, index) => index < start || index >= start + size);
      if (!(await keepIfFails({ ...plan, acts }))) start += size;
    }
  }
}
