import { expect, it } from "vitest";
import { explainRequest } from "./unhandled-request.ts";

it.each([
  ["GET", "/api/v1/merchants/smile", "it is getMerchant, and no handler answers it at https://h."],
  ["DELETE", "/api/v1/merchants", "the path takes POST (upsertMerchant) or GET (listMerchants)."],
  ["GET", "/api/v1/merchant", "Did you mean POST (upsertMerchant) or GET (listMerchants) at /api/v1/merchants?"],
  ["POST", "/api/v1/message/sms", "Did you mean POST (sendSms) at /api/v1/messages/sms?"],
  ["POST", "/api/v1/messages/smss", "Did you mean POST (sendSms) at /api/v1/messages/sms?"],
  ["POST", "/api/v1/sms", "Did you mean POST (sendDirectSms) at /api/v1/sms/send?"],
  ["GET", "/api/v1/report/usage", "Did you mean GET (getUsageReport) at /api/v1/reports/usage?"],
  ["GET", "/api/v1/merchants/smile/messaging/state", "at /api/v1/merchants/{merchantId}/messaging/status?"],
  ["POST", "/api/v1/zzz", "the contract has no such path."],
  ["GET", "/below/api/v1/alerts", 'exampleHandlers("https://h/below").'],
])("%s %s: %s", (method, path, words) => {
  const explained = explainRequest(method, `https://h${path}`) ?? "";
  expect(explained).toContain(words);
});

it.each(["/", "/api/v2/merchants", "/assets/app.js"])("says nothing of %s", (path) => {
  expect(explainRequest("GET", `https://h${path}`)).toBeUndefined();
});
