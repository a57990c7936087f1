import { expect, it } from "vitest";
import { adviseOn, progressOf, type Registration, stepNames } from "./steps.ts";

const registration = (blockingReason: string | null): Registration => ({
  merchantId: "m1",
  readyToSend: blockingReason === null,
  blockingReason,
  brands: [],
  campaigns: [],
  numbers: [],
});

it.each([
  [null, ["done", "done", "done"]],
  ["MERCHANT_INACTIVE", ["waiting", "waiting", "waiting"]],
  ["BRAND_MISSING", ["blocked", "waiting", "waiting"]],
  ["BRAND_PENDING", ["review", "waiting", "waiting"]],
  ["CAMPAIGN_REJECTED", ["done", "blocked", "waiting"]],
  ["NUMBER_ASSIGNMENT_PENDING", ["done", "done", "review"]],
  ["A_NEW_ONE", ["waiting", "waiting", "waiting"]],
])("if the blocking reason is %s, the steps are %j", (reason, progress) => {
  expect(stepNames.map((step) => progressOf(step, registration(reason)))).toEqual(progress);
});

it.each([
  ["BRAND_MISSING", "msgctl registration brand m1 --legal-business-name <name>"],
  ["CAMPAIGN_PENDING", "msgctl registration wait m1"],
  ["NUMBER_INACTIVE", "msgctl registration number m1 --phone-number <phoneNumber> --status ACTIVE"],
  ["NUMBER_UNASSIGNED", "msgctl registration assign m1 <numberId> --campaign-id <campaignId>"],
  ["A_NEW_ONE", undefined],
])("for the blocking reason %s, adviseOn() advises the command: %s", (reason, command) => {
  expect(adviseOn(registration(reason))?.command).toBe(command);
});

it.each([
  ["BRAND_MISSING", "registerBrand", { "merchant-id": "m1" }],
  ["CAMPAIGN_REJECTED", "registerCampaign", { "merchant-id": "m1" }],
  ["NUMBER_MISSING", "registerNumber", { "merchant-id": "m1", "phone-number": "" }],
  ["NUMBER_UNASSIGNED", "assignNumber", { "merchant-id": "m1", "number-id": "", "campaign-id": "" }],
  ["BRAND_PENDING", undefined, undefined],
])("for the blocking reason %s, adviseOn() advises the form %s", (reason, operationId, values) => {
  const form = adviseOn(registration(reason))?.form;
  expect([form?.operationId, form?.values]).toEqual([operationId, values]);
});

it("adviseOn() returns no advice if there is no blocking reason", () => {
  expect(adviseOn(registration(null))).toBeUndefined();
});
