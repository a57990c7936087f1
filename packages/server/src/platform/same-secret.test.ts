import { expect, it } from "vitest";
import { isSameSecret } from "./same-secret.ts";

it("isSameSecret() refuses a secret of another length, and one that differs", () => {
  expect(isSameSecret("RSOYDt4T", "RSOYDt4T")).toBe(true);
  expect(isSameSecret("", "RSOYDt4T")).toBe(false);
  expect(isSameSecret("RSOYDt4T1", "RSOYDt4T")).toBe(false);
  expect(isSameSecret("rSOYDt4T", "RSOYDt4T")).toBe(false);
});
