/** Tests two copies of this package in one process, such as a program's CommonJS copy and its test's ESM copy. */
import { describe, expect, it, vi } from "vitest";
import * as sdk from "./index.ts";
import { WebhookVerificationError } from "./webhooks/index.ts";

vi.resetModules();
const other: typeof sdk = await import("./index.ts");
const { WebhookVerificationError: otherVerificationError } = await import("./webhooks/index.ts");

const details = { status: 422, errors: [] };

it("the two copies have different classes", () => {
  expect(other.MessagingError).not.toBe(sdk.MessagingError);
  expect(Object.getPrototypeOf(sdk.UsageError)).toBe(sdk.MessagingError);
});

describe("an error of one copy", () => {
  it.each([
    [new other.ConsentError("No.", details), ["ConsentError", "ApiError", "MessagingError"]],
    [new other.ValidationError("No.", details), ["ValidationError", "ApiError", "MessagingError"]],
    [new other.TimeoutError("No."), ["TimeoutError", "ConnectionError", "MessagingError"]],
    [new otherVerificationError("too_old", "No."), ["MessagingError"]],
  ])("is an instance of the other copy's classes of the same names: %o", (error, kinds) => {
    const classes = Object.values<unknown>(sdk).filter(
      (value): value is typeof Error => typeof value === "function" && /Error$/.test(value.name),
    );
    const held = classes.filter((each) => error instanceof each).map(({ name }) => name);
    expect(held.sort()).toEqual(kinds.sort());
    expect(error instanceof WebhookVerificationError).toBe(error instanceof otherVerificationError);
  });
});

it("a copy recognizes no other value as one of its errors", () => {
  class ConsentError extends Error {
    static readonly kind = "ConsentError";
  }
  const others = [
    Object.create(null),
    new Error("No."),
    new ConsentError("No."),
    { name: "ConsentError" },
    "ConsentError",
    null,
    undefined,
    7,
  ];
  for (const value of others)
    for (const kind of [sdk.MessagingError, sdk.ConsentError]) expect(value instanceof kind).toBe(false);
});

it("a caller's own subclass matches only its own instances", () => {
  class OurConsentError extends sdk.ConsentError {}
  expect(new OurConsentError("No.", details)).toBeInstanceOf(other.ConsentError);
  expect(new OurConsentError("No.", details)).toBeInstanceOf(OurConsentError);
  expect(new sdk.ConsentError("No.", details)).not.toBeInstanceOf(OurConsentError);
  expect(new other.ConsentError("No.", details)).not.toBeInstanceOf(OurConsentError);
});
