import { describe, expect, it } from "vitest";
import { drawPlan } from "./plan/draw-plan.ts";
import type { Plan } from "./plan/plan.ts";
import { shrink } from "./shrink.ts";

/** A plan with many acts, faults and instances. */
const large = Array.from({ length: 500 }, (_, index) => drawPlan(index + 1)).find(
  ({ acts, skewsMs, rates, sites }) =>
    skewsMs.length === 3 &&
    Object.keys(rates).length > 8 &&
    sites.length > 0 &&
    acts.some(({ kind }) => kind === "kill"),
) as Plan;

describe("shrink", () => {
  it("keeps only the acts and faults that the failure needs", async () => {
    const needed = large.acts.filter(({ kind }) => kind === "kill").slice(0, 1);
    const [rate = ""] = Object.keys(large.rates);
    const stillFails = async ({ acts, rates }: Plan) => needed.every((act) => acts.includes(act)) && rate in rates;
    const smallest = await shrink(large, stillFails);
    expect(smallest.acts).toEqual(needed);
    expect(Object.keys(smallest.rates)).toEqual([rate]);
    expect([smallest.sites, smallest.unhealed, smallest.skewsMs]).toEqual([[], [], [0]]);
  });

  it("returns a plan unchanged if nothing can be removed", async () => {
    expect(await shrink(large, async () => false)).toBe(large);
  });

  it("stops after 600 tries even if every smaller plan fails", async () => {
    let tries = 0;
    await shrink(large, async () => {
      tries += 1;
      return true;
    });
    expect(tries).toBeLessThanOrEqual(600);
  });
});
