import { describe, expect, it } from "vitest";
import { abbreviateKey, isApiKey, isApiSecret, withChecksum } from "./credential-form.ts";

// Made by the server's code, so that the test fails if the two sides compute different checksums.
const KEY = "mkt_test_gGBZkG5DvfUmFTI5fktYLO48GRcz";
const SECRET = "mks_dCGxStDD0xZambwhYdj6GKzlkF1T8KBTORULUz1r35TNTK";

describe("a key", () => {
  it.each([
    [KEY, true],
    [withChecksum(`mkm_live_${"a".repeat(22)}`), true],
    [withChecksum(`mkx_live_${"a".repeat(22)}`), false],
    [withChecksum(`mkt_prod_${"a".repeat(22)}`), false],
    [withChecksum(`mkt_live_${"a".repeat(21)}`), false],
    [`${KEY.slice(0, -1)}!`, false],
    [`${KEY}\n`, false],
    [SECRET, false],
    ["", false],
  ])("is recognised in %j: %s", (text, expected) => {
    expect(isApiKey(text)).toBe(expected);
  });

  it("is abbreviated to its first digits, and not shown at all if it is invalid", () => {
    expect(abbreviateKey(KEY)).toBe(`${KEY.slice(0, 13)}…`);
    expect(abbreviateKey("something else")).toBe("…");
  });
});

describe("a secret", () => {
  it("is refused if any of its characters is changed", () => {
    expect(isApiSecret(SECRET)).toBe(true);
    for (let index = 0; index < SECRET.length; index += 1) {
      const other = SECRET[index] === "x" ? "y" : "x";
      expect([index, isApiSecret(SECRET.slice(0, index) + other + SECRET.slice(index + 1))]).toEqual([index, false]);
    }
  });

  it("is not a key", () => {
    expect(isApiSecret(KEY)).toBe(false);
  });
});
