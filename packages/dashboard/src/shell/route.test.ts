import { expect, it } from "vitest";
import { addressOf, type Route, readRoute } from "./route.ts";

const routes: Route[] = [
  { page: "messages", query: "" },
  { page: "messages", query: 'to:+1202 "a & b" -type:otp' },
  { page: "message", messageId: "msg_01" },
  { page: "message", messageId: "a/b?c" },
  { page: "requests", failedOnly: false },
  { page: "requests", failedOnly: true },
  { page: "simulator" },
];

it.each(routes)("reads the address of %j", (route) => {
  expect(readRoute(new URL(addressOf(route), "http://127.0.0.1"))).toEqual(route);
});

it.each([
  ["/dashboard", { page: "messages", query: "" }],
  ["/dashboard/", { page: "messages", query: "" }],
  ["/dashboard/nowhere", { page: "nothing" }],
  ["/dashboard/messages/a/b", { page: "nothing" }],
  ["/dashboard/messages/%E0%A4%A", { page: "message", messageId: "%E0%A4%A" }],
])("takes %s", (path, route) => {
  expect(readRoute(new URL(path, "http://127.0.0.1"))).toEqual(route);
});
