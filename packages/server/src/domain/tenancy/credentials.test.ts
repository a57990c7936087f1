import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashSecret, isApiKey, isApiSecret, makeApiKey, makeApiSecret } from "./credentials.ts";

describe("an API key", () => {
  it.each([
    ["tenant", "live", /^mkt_live_[0-9A-Za-z]{22}[0-9A-Za-z]{6}$/],
    ["tenant", "test", /^mkt_test_[0-9A-Za-z]{28}$/],
    ["merchant", "live", /^mkm_live_[0-9A-Za-z]{28}$/],
    ["merchant", "test", /^mkm_test_[0-9A-Za-z]{28}$/],
  ] as const)("shows its owner (%s) and mode (%s)", (owner, mode, form) => {
    const key = makeApiKey(owner, mode, randomInt);
    expect(key).toMatch(form);
    expect([isApiKey(key), isApiSecret(key)]).toEqual([true, false]);
  });
});

describe("a secret", () => {
  it("has 40 random digits and a checksum", () => {
    const secret = makeApiSecret(randomInt);
    expect(secret).toMatch(/^mks_[0-9A-Za-z]{46}$/);
    expect([isApiSecret(secret), isApiKey(secret)]).toEqual([true, false]);
  });

  it("is different each time", () => {
    const secrets = Array.from({ length: 100 }, () => makeApiSecret(randomInt));
    expect(new Set(secrets).size).toBe(100);
  });

  it("has a different hash under a different pepper", () => {
    const secret = makeApiSecret(randomInt);
    expect(hashSecret(secret, "one")).toMatch(/^[0-9a-f]{64}$/);
    expect(hashSecret(secret, "one")).toBe(hashSecret(secret, "one"));
    expect(hashSecret(secret, "one")).not.toBe(hashSecret(secret, "two"));
  });
});

describe("a typo", () => {
  let draws = 0;
  const drawn = (below: number) => {
    draws += 17;
    return draws % below;
  };
  const key = makeApiKey("tenant", "test", drawn);
  const secret = makeApiSecret(drawn);

  it.each(["digit", "order", "length", "case"])("in %s is detected in keys and secrets", (kind) => {
    for (const [text, isGood] of [
      [key, isApiKey],
      [secret, isApiSecret],
    ] as const) {
      expect(isGood(text)).toBe(true);
      for (let at = text.lastIndexOf("_") + 1; at < text.length; at += 1) {
        const mistyped = mistype(text, at, kind);
        if (mistyped !== text) expect(isGood(mistyped), `${text} as ${mistyped}`).toBe(false);
      }
    }
  });
});

function mistype(text: string, at: number, kind: string): string {
  const [before, digit = "", after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  switch (kind) {
    case "digit":
      return `${before}${digit === "7" ? "8" : "7"}${after}`;
    case "order":
      return `${before}${after.charAt(0)}${digit}${after.slice(1)}`;
    case "length":
      return before + after;
    default:
      return before + (digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()) + after;
  }
}
