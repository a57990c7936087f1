import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listTestRecipients } from "./simulated/behaviours.ts";

const page = readFileSync(new URL("../../../../docs/simulator.md", import.meta.url), "utf8");

/** Rows of the page's table of numbers: two digits, and the outcome of an SMS. */
const documented = new Map(
  [...page.matchAll(/^\| `(\d\d)` \| ([A-Z_]+)(?: ([A-Z_]+))?/gm)].map(([, digits, status, reason = null]) => [
    digits,
    { status, reason },
  ]),
);

it("each test number is listed with the outcome that the documentation states", () => {
  const numbers = listTestRecipients().filter(({ channel }) => channel === "SMS");
  expect(numbers.length).toBeGreaterThan(20);
  for (const { to, status, reason } of numbers)
    expect([to, { status, reason }]).toEqual([to, documented.get(to.slice(-2))]);
});

it("a test recipient is listed with its reply, and whether its receipt is slow", () => {
  const recipients = new Map(listTestRecipients().map((recipient) => [recipient.to, recipient]));
  expect(recipients.get("+12025550150")).toMatchObject({ reply: "STOP", isSlow: false });
  expect(recipients.get("delayed@simulator.example")).toMatchObject({ channel: "EMAIL", reply: null, isSlow: true });
  expect(recipients.get("suppressed@simulator.example")).toMatchObject({ status: "FAILED", reason: "BLOCKED" });
});
