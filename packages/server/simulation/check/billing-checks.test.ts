import { expect, it } from "vitest";
import type { Plan } from "../plan/plan.ts";
import type { Database } from "../world/database.ts";
import { checkAllowances } from "./billing-checks.ts";
import { Violation } from "./violation.ts";

const row = { merchantId: "m0", channel: "SMS", period: "2026-01", limit: 10, used: 9, reserved: 3, credits: 2 };
const check = (change: object, acts: Plan["acts"] = []) =>
  checkAllowances({ all: async () => [{ ...row, ...change }] } as unknown as Database, { acts } as unknown as Plan);

it("checkAllowances accepts credits for units beyond the allowance", async () => {
  await check({});
  await check({ used: 7, credits: 0 });
});

it("checkAllowances accepts a call that was longer than its reservation", () =>
  check({ channel: "VOICE", credits: 0 }));

it("checkAllowances reports too many credits, and too few", async () => {
  for (const credits of [3, 1, 0]) await expect(check({ credits })).rejects.toThrow(Violation);
});

it("checkAllowances skips an allowance that was changed", () =>
  check({ credits: 0 }, [{ kind: "limits", atMs: 0, merchant: 0, limit: 5, active: true }]));
