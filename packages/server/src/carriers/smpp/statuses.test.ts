import { expect, it } from "vitest";
import { judgeStatus, nameStatus, statuses } from "./pdus.ts";

it.each([
  [0, "taken"],
  [88, "later, too fast"],
  [20, "later, too fast"],
  [8, "later"],
  [100, "later"],
  [4, "later"],
  [11, "refused UNKNOWN_HANDSET"],
  [254, "refused UNREACHABLE"],
  [69, "failed"],
  [10, "failed"],
  [98, "failed"],
  [1034, "failed"],
])("status %i is judged as: %s", (status, meaning) => {
  const verdict = judgeStatus(status);
  const isTooFast = verdict.kind === "later" && verdict.isTooFast;
  const reason = verdict.kind === "refused" ? ` ${verdict.reason}` : "";
  expect(`${verdict.kind}${reason}${isTooFast ? ", too fast" : ""}`).toBe(meaning);
});

it("each standard status is shown by its name, any other as a number", () => {
  expect(nameStatus(88)).toBe("ESME_RTHROTTLED (88)");
  expect(nameStatus(1034)).toBe("status 1034");
  expect(new Set(Object.values(statuses)).size).toBe(Object.keys(statuses).length);
});

it("the names of statuses are those of the library, except those that SMPP 5.0 renamed", async () => {
  const library = (await import("smpp")) as unknown as { errors: Record<string, number> };
  const renamed = ["ESME_RINVOPTPARSTREAM", "ESME_ROPTPARNOTALLWD", "ESME_RINVPARLEN", "ESME_RMISSINGOPTPARAM"];
  for (const [name, status] of Object.entries(statuses)) {
    if (![...renamed, "ESME_RINVOPTPARAMVAL"].includes(name))
      expect([name, library.errors[name]]).toEqual([name, status]);
  }
});
