import { describe, expect, it } from "vitest";
import { deriveKeyCheck, derivePepper } from "./shared-key.ts";

const key = Buffer.alloc(32, 1);

describe("a secret derived from a shared key", () => {
  it("never changes, because stored hashes depend on it", () => {
    expect(derivePepper(key)).toBe("0iLBMr-JrVbyeMc3RUh2C0lGdxrwF6_2ZbZq3kTEoHw");
    expect(deriveKeyCheck(key)).toBe("MYM_yM2wS2uiOAn-O0F8Sbf4B-SuF4xqgHEYFZaMmcc");
  });

  it("differs between keys and between purposes", () => {
    const other = Buffer.alloc(32, 2);
    const all = [derivePepper(key), deriveKeyCheck(key), derivePepper(other), deriveKeyCheck(other)];
    expect(new Set(all).size).toBe(4);
    expect(all.every((text) => /^[\w-]{43}$/.test(text))).toBe(true);
  });
});
