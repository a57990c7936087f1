// Run it with: node --test examples/consumer-tests-prism/remind.test.mjs
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPrismMock } from "@msgctl/mocks/prism";
import { ApiError, ConnectionError, MessagingClient } from "@msgctl/sdk";
import { remind } from "./remind.mjs";

const visit = { phone: "+12025550100", time: "9:30" };

/** @type {import("@msgctl/mocks/prism").Prism} */
let prism;
before(async () => {
  prism = await startPrismMock();
});
after(() => prism.stop());

/**
 * A client of the mock. Prism accepts any credential, and answers with the example that the header Prefer asks for.
 * @param {string} [prefer] as `code=422, example=consent_opted_out`; else the call succeeds
 */
function clientOf(prefer) {
  return new MessagingClient({
    baseUrl: prism.url,
    apiKey: "mkt_test_example",
    apiSecret: "mks_example",
    maxRetries: 0,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      if (prefer !== undefined) headers.set("Prefer", prefer);
      // Prism returns application/problem+json only if the Accept header names it, and the SDK names only application/json
      headers.set("Accept", "*/*");
      const reply = await fetch(url, { ...init, headers });
      // Otherwise an invalid request would go unnoticed: Prism answers it with the first example of a refusal.
      const violations = reply.headers.get("sl-violations");
      if (violations !== null) throw new Error(`not a request of the contract: ${violations}`);
      return reply;
    },
  });
}

test("a patient is reminded", async () => {
  assert.equal(await remind(clientOf(), visit), "reminded (msg_01KJQH7VR0X4T8ZB2M6QWEN9KD)");
});

test("a patient who has opted out is not reminded", async () => {
  const client = clientOf("code=422, example=consent_opted_out");
  assert.equal(await remind(client, visit), "not reminded: the patient wants no messages");
});

test("the outcome says that the month's quota is used up", async () => {
  const client = clientOf("code=402");
  assert.equal(await remind(client, visit), "not reminded: no messages left this month");
});

test("a failure of the service is not reported as a refusal", async () => {
  await assert.rejects(
    remind(clientOf("code=503"), visit),
    (error) => error instanceof ApiError && error.status === 503,
  );
});

test("a request that violates the contract makes the call fail", async () => {
  const wrongly = remind(clientOf(), { ...visit, phone: "202 555 0100" });
  await assert.rejects(wrongly, (error) => {
    assert(error instanceof ConnectionError && error.cause instanceof Error);
    assert.match(error.cause.message, /not a request of the contract: .*property to must match pattern/);
    return true;
  });
});
