import { describe, expect, it } from "vitest";
import { codeOf, findStep, fromBase32, SECRET_BYTES, stepAt, toBase32, toOtpauthLink } from "./totp.ts";

/** The secret of the test vectors in RFC 4226 and RFC 6238. */
const secret = Buffer.from("12345678901234567890");

describe("a code", () => {
  it.each([
    // RFC 6238, appendix B, SHA-1: the vectors have eight digits, of which the last six are the code of six digits
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ])("at %i seconds ends like the vector %s of RFC 6238", (seconds, vector) => {
    expect(codeOf(secret, stepAt(seconds * 1_000))).toBe(vector.slice(-6));
  });

  it("is that of RFC 4226, appendix D, for each count", () => {
    const vectors = [
      "755224",
      "287082",
      "359152",
      "969429",
      "338314",
      "254676",
      "287922",
      "162583",
      "399871",
      "520489",
    ];
    expect(vectors.map((_, count) => codeOf(secret, count))).toEqual(vectors);
  });
});

describe("the step of a code", () => {
  const now = 1_234_567_890_000;
  const present = stepAt(now);
  const find = (code: string, lastStep: number | null = null) => findStep(secret, { code, lastStep, now });

  it("is found for the present step and its neighbours only", () => {
    const found = [-2, -1, 0, 1, 2].map((distance) => find(codeOf(secret, present + distance)));
    expect(found).toEqual([undefined, present - 1, present, present + 1, undefined]);
  });

  it("is not found for a step that is not after the last one", () => {
    const found = [-1, 0, 1].map((distance) => find(codeOf(secret, present + distance), present));
    expect(found).toEqual([undefined, undefined, present + 1]);
  });

  it.each(["", "00000", "0000000", "12345a", "１２３４５６", "000000"])("is not found for %j", (code) => {
    expect(find(code)).toBeUndefined();
  });
});

describe("base32", () => {
  it.each([
    // RFC 4648, section 10, without padding
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("of %j is %j", (text, encoded) => {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(text);
  });

  it("of a secret has 32 letters", () => {
    expect(toBase32(Buffer.alloc(SECRET_BYTES, 0xff))).toBe("7".repeat(32));
  });
});

it("a link names the issuer and the account, escaped", () => {
  const link = toOtpauthLink({ secret: "MZXW6", issuer: "msgd msg.example.com", account: "a&b+c@example.com" });
  expect(link).toBe(
    "otpauth://totp/msgd%20msg.example.com:a%26b%2Bc%40example.com?secret=MZXW6&issuer=msgd%20msg.example.com",
  );
  expect(new URL(link).searchParams.get("issuer")).toBe("msgd msg.example.com");
});
