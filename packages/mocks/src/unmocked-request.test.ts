import { expect, it } from "vitest";
import { explainUnmocked } from "./unmocked-request.ts";

it.each([
  ["GET", "/api/v1/merchants/smile", "It is getMerchant (GET /api/v1/merchants/{merchantId}), and no handler"],
  ["GET", "/api/v1/merchants/smile", "no handler answers it at https://h."],
  ["DELETE", "/api/v1/merchants", "Did you mean upsertMerchant (POST /api/v1/merchants) or listMerchants"],
  ["GET", "/api/v1/merchant", "Did you mean listMerchants (GET /api/v1/merchants)?"],
  ["POST", "/api/v1/message/sms", "Did you mean sendSms (POST /api/v1/messages/sms)?"],
  ["POST", "/api/v1/messages/smss", "Did you mean sendSms (POST /api/v1/messages/sms)?"],
  ["GET", "/api/v1/report/usage", "Did you mean getUsageReport (GET /api/v1/reports/usage)?"],
  ["POST", "/api/v1/zzz", "is not mocked. Operations: upsertMerchant, "],
  ["GET", "/below/api/v1/alerts", 'exampleHandlers("https://h/below").'],
])("explains %s %s: %s", (method, path, words) => {
  expect(explainUnmocked(method, new URL(`https://h${path}`))).toContain(words);
});

it.each(["/", "/api/v2/merchants", "/assets/app.js"])("says nothing about %s", (path) => {
  expect(explainUnmocked("GET", new URL(`https://h${path}`))).toBeUndefined();
});
