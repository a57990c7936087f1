import { expect, it } from "vitest";
import { addressOf, allCalls, allEntries, type Route, readRoute } from "./route.ts";

const routes: Route[] = [
  { page: "messages", query: "", open: "" },
  { page: "messages", query: 'to:+1202 "a & b" -type:otp', open: "msg_01" },
  { page: "message", messageId: "msg_01" },
  { page: "message", messageId: "a/b?c" },
  { page: "recipients" },
  { page: "recipient", contact: "+12025550100" },
  { page: "merchants" },
  { page: "merchant", merchantId: "bright-dental" },
  { page: "recipient", contact: "a/b@example.com" },
  { page: "requests", failedOnly: false, requestId: "" },
  { page: "requests", failedOnly: true, requestId: "" },
  { page: "requests", failedOnly: false, requestId: "req_a/b?c" },
  { page: "callbacks", status: "", before: "" },
  { page: "callbacks", status: "FAILED", before: "evt_01" },
  { page: "callback", webhookId: "evt_01" },
  { page: "callback", webhookId: "a/b?c" },
  { page: "health" },
  { page: "installation" },
  { page: "carriers" },
  { page: "account" },
  { page: "simulator" },
  { page: "operations" },
  { page: "operation", operationId: "sendSms", values: {} },
  { page: "operation", operationId: "sendSms", values: { "merchant-id": "m1", message: "a & b" } },
  { page: "overview" },
  allEntries,
  {
    ...allEntries,
    about: "+12025550100",
    who: "ann@example.com",
    deed: "getRecipient",
    from: "2026-11-01",
    to: "2026-11-30",
  },
  allCalls,
  { ...allCalls, merchantId: "bright-dental", useCase: "A & B", sourceSystem: "booking", tenantId: "17" },
  { page: "batch", batchId: "9001", status: "" },
  { page: "batch", batchId: "9001", status: "FAILED" },
  { page: "call", requestId: "48211" },
  { page: "registration", merchantId: "" },
  { page: "registration", merchantId: "bright-dental" },
  { page: "voice" },
  { page: "users" },
  { page: "keys" },
  { page: "password" },
];

it.each(routes)("readRoute() reads the address of the page %j", (route) => {
  expect(readRoute(new URL(addressOf(route), "http://127.0.0.1"))).toEqual(route);
});

it.each([
  ["/dashboard", { page: "messages", query: "", open: "" }],
  ["/dashboard/", { page: "messages", query: "", open: "" }],
  ["/dashboard/nowhere", { page: "nothing" }],
  ["/dashboard/messages/a/b", { page: "nothing" }],
  ["/dashboard/callbacks?status=LOST", { page: "callbacks", status: "", before: "" }],
  ["/dashboard/health/more", { page: "nothing" }],
  ["/dashboard/operations/a/b", { page: "nothing" }],
  ["/dashboard/calls/batches", { page: "nothing" }],
  ["/dashboard/calls/batches/1/2", { page: "nothing" }],
  ["/dashboard/calls/1/2", { page: "nothing" }],
  ["/dashboard/messages/%E0%A4%A", { page: "message", messageId: "%E0%A4%A" }],
])("readRoute() reads %s", (path, route) => {
  expect(readRoute(new URL(path, "http://127.0.0.1"))).toEqual(route);
});
