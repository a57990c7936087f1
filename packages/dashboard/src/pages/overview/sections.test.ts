import { expect, it } from "vitest";
import { listRows } from "./sections.ts";

const session = { role: "viewer", merchantId: null, canSearch: true } as const;

it.each(["viewer", "auditor"] as const)("the overview of a %s begins with the costs", (role) => {
  expect(listRows({ ...session, role })).toEqual([[["costs"]], [["quotas", "activity"], ["alerts"]]]);
});

it("the overview of an admin begins with errors and requests, and that of an agent with failed messages", () => {
  const firstOf = (role: "admin" | "agent") => listRows({ ...session, role })[0];
  expect(firstOf("admin")).toEqual([
    ["errors", "requests", "activity"],
    ["receivers", "alerts"],
  ]);
  expect(firstOf("agent")).toEqual([["failed", "waiting", "activity"], ["alerts"]]);
});

it.each(["agent", "admin"] as const)("an %s of one merchant sees only sections that a merchant fills", (role) => {
  expect(listRows({ ...session, role, merchantId: "m1" })).toEqual(listRows(session));
});

it("without an index of messages, sections that need it and columns without a section are left out", () => {
  expect(listRows({ ...session, canSearch: false })).toEqual([[["costs"]], [["quotas"], ["alerts"]]]);
  expect(listRows({ ...session, role: "agent", canSearch: false })).toEqual([[["alerts"]]]);
});
