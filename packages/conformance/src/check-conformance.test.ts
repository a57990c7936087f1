import { expect, it } from "vitest";
import { checkConformance } from "./check-conformance.ts";
import { createHttpSend } from "./program/http-send.ts";
import { withServer } from "./testing/stub-server.ts";

it("continues after two tries if one operation does not answer", async () => {
  let silences = 0;
  const credential = { apiKey: "mkt_1", apiSecret: "mks_1" };
  const bounds = { requestTimeoutMs: 10_000, deadlineMs: 20_000, maxRequests: 500 };
  const surroundings = { credential, others: {}, prefix: "a-", newNumber: () => "+12025550100", pause: async () => {} };
  const { violations, outcomes, ended } = await withServer(
    (request, response) => {
      if (request.url?.startsWith("/api/v1/alerts")) {
        silences += 1;
        request.destroy();
      } else response.writeHead(418).end();
    },
    (url) => checkConformance(createHttpSend(new URL(url), credential, bounds), surroundings, ["listAlerts"]),
  );
  expect([silences, ended]).toEqual([2, null]);
  expect(violations).toContainEqual(
    expect.objectContaining({ operationId: "listAlerts", fault: "no reply", times: 2 }),
  );
  expect(outcomes.filter(({ result }) => result === "violation")).toHaveLength(2);
  expect(outcomes.filter(({ result }) => result === "not asked").length).toBeGreaterThan(2);
});
