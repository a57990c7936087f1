import { expect, it } from "vitest";
import { commands, deeds } from "../../packages/dashboard/src/pages/audit/words.ts";
import { permissions } from "../../packages/server/src/dashboard/dashboard-api.ts";
import { recordedCommands } from "../../packages/server/src/domain/tenancy/operator-audit.ts";

it("the audit page has words for every operation that the audit records, and for no other", () => {
  const recorded = Object.entries(permissions).filter(([, { isAudited }]) => isAudited);
  // recorded with their outcome
  const proven = ["signIn", "setPassword", "confirmSecondFactor", "removeSecondFactor", "renewRecoveryCodes"];
  const operations = [...recorded.map(([operation]) => operation), ...proven];
  expect(Object.keys(deeds).sort()).toEqual(operations.sort());
});

it("the audit page offers every command that the audit records, and no other", () => {
  expect(commands).toEqual(recordedCommands);
});
