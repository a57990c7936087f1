import { expect, it } from "vitest";
import { groupRefusals } from "./group-refusals.ts";

it("groupRefusals() counts refusals by code and operation, the most frequent first", () => {
  const request = (code: string | null, operationId: string | null = "sendSms") => ({
    ...{ code, operationId, method: "GET", path: "/api/v1/nowhere" },
  });
  const requests = [
    request(null),
    request("not_found", null),
    request("rate_limited"),
    request("rate_limited", "sendEmail"),
    request("rate_limited"),
  ];
  expect(groupRefusals(requests)).toEqual([
    { code: "rate_limited", operation: "sendSms", count: 2 },
    { code: "not_found", operation: "GET /api/v1/nowhere", count: 1 },
    { code: "rate_limited", operation: "sendEmail", count: 1 },
  ]);
});
