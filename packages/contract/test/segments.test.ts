import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countSegments } from "../src/segments.ts";

const emoji = "😀";

describe("countSegments", () => {
  it.each([
    ["an empty message", "", "GSM-7", 1],
    ["160 a", "a".repeat(160), "GSM-7", 1],
    ["161 a", "a".repeat(161), "GSM-7", 2],
    ["306 a", "a".repeat(306), "GSM-7", 2],
    ["307 a", "a".repeat(307), "GSM-7", 3],
    ["306 é", "é".repeat(306), "GSM-7", 2],
    ["80 €", "€".repeat(80), "GSM-7", 1],
    ["81 €", "€".repeat(81), "GSM-7", 2],
    ["an escape pair that would straddle two segments", `${"a".repeat(152)}€${"a".repeat(152)}`, "GSM-7", 3],
    ["Greek capitals of the basic alphabet", "ΔΦΓΛΩΠΨΣΘΞ".repeat(16), "GSM-7", 1],
    ["every extension character", "\f^{}\\[~]|€", "GSM-7", 1],
    ["a backtick, which GSM-7 lacks", `${"a".repeat(70)}\``, "UCS-2", 2],
    ["a tab, which GSM-7 lacks", "a\tb", "UCS-2", 1],
    ["70 of Cyrillic", "я".repeat(70), "UCS-2", 1],
    ["71 of Cyrillic", "я".repeat(71), "UCS-2", 2],
    ["134 of Cyrillic", "я".repeat(134), "UCS-2", 2],
    ["135 of Cyrillic", "я".repeat(135), "UCS-2", 3],
    ["35 emoji", emoji.repeat(35), "UCS-2", 1],
    ["67 emoji: 33 fit in a segment", emoji.repeat(67), "UCS-2", 3],
    ["159 a and a curly quote", `${"a".repeat(159)}’`, "UCS-2", 3],
    ["a lone surrogate", "\ud83d", "UCS-2", 1],
    ["1 600 characters", "a".repeat(1_600), "GSM-7", 11],
  ])("counts %s", (_name, text, encoding, segments) => {
    expect(countSegments(text)).toEqual({ encoding, segments });
  });

  it("counts plain text the same on the fast path and the slow path", () => {
    const plain = fc.stringMatching(/^[\n\r @$_!"#%&'()*+,\-./0-9:;<=>?A-Za-z]{0,700}$/);
    fc.assert(
      fc.property(plain, fc.constantFrom("é", "Ω", "£"), (text, letter) => {
        // a letter outside ASCII also takes one septet, but forces the slow path
        expect(countSegments(text + letter)).toEqual(countSegments(`${text}a`));
      }),
    );
  });

  it("fills each segment completely, or except for one character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 400 }), (text) => {
        const { encoding, segments } = countSegments(text);
        const extended = text.replace(/[^\f^{}\\[~\]|€]/g, "").length;
        const length = text.length + (encoding === "GSM-7" ? extended : 0);
        const [single, part] = encoding === "GSM-7" ? [160, 153] : [70, 67];
        const least = length <= single ? 1 : Math.ceil(length / part);
        const most = length <= single ? 1 : Math.ceil(length / (part - 1));
        expect(segments).toBeGreaterThanOrEqual(least);
        expect(segments).toBeLessThanOrEqual(most);
      }),
    );
  });
});
