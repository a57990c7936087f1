/** Two copies of this package in one process, such as the CommonJS one of a program and the ESM one of its test. */
import { describe, expect, it, vi } from "vitest";
import * as sdk from "./index.ts";
import { WebhookVerificationError } from "./webhooks/index.ts";

vi.resetModules();
const other: typeof sdk = await import("./index.ts");
const { WebhookVerificationError: otherVerificationError } = await import("./webhooks/index.ts");

const details = { status: 422, errors: [] };

it("are two copies", () => {
  expect(other.MessagingError).not.toBe(sdk.MessagingError);
  expect(Object.getPrototypeOf(sdk.UsageError)).toBe(sdk.MessagingError);
});

describe("an error of one", () => {
  it.each([
    [new other.ConsentError("No.", details), ["ConsentError", "ApiError", "MessagingError"]],
    [new other.ValidationError("No.", details), ["ValidationError", "ApiError", "MessagingError"]],
    [new other.TimeoutError("No."), ["TimeoutError", "ConnectionError", "MessagingError"]],
    [new otherVerificationError("too_old", "No."), ["MessagingError"]],
  ])("is an instance of the same classes of the other: %o", (error, kinds) => {
    const classes = Object.values<unknown>(sdk).filter(
      (value): value is typeof Error => typeof value === "function" && /Error$/.test(value.name),
    );
    const held = classes.filter((each) => error instanceof each).map(({ name }) => name);
    expect(held.sort()).toEqual(kinds.sort());
    expect(error instanceof WebhookVerificationError).toBe(error instanceof otherVerificationError);
  });
});

it("recognizes nothing else as an error of its own", () => {
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

it("leaves a caller's own subclass unchanged", () => {
  class OurConsentError extends sdk.ConsentError {}
  expect(new OurConsentError("No.", details)).toBeInstanceOf(other.ConsentError);
  expect(new OurConsentError("No.", details)).toBeInstanceOf(OurConsentError);
  expect(new sdk.ConsentError("No.", details)).not.toBeInstanceOf(OurConsentError);
  expect(new other.ConsentError("No.", details)).not.toBeInstanceOf(OurConsentError);
});
