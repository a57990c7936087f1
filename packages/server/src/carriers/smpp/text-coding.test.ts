import { countSegments } from "@msgctl/contract/segments";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "./pdus.ts";

const gsm = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà\f^{}\\[~]|€";
const gsmText = fc.string({ unit: fc.constantFrom(...gsm), maxLength: 700 });
const anyText = fc.string({ unit: "binary", maxLength: 400 });
const longText = fc
  .tuple(fc.constantFrom("a€", "я😀", "€", "😀", "ab{"), fc.nat(400))
  .map(([text, times]) => text.repeat(times));

describe("a text is split", () => {
  it("into as many parts as it has segments, which join to the same text", () => {
    fc.assert(
      fc.property(fc.oneof(gsmText, anyText, longText), (text) => {
        const { dataCoding, parts } = encodeText(text);
        const { encoding, segments } = countSegments(text);
        expect(parts).toHaveLength(segments);
        expect(dataCoding).toBe(encoding === "GSM-7" ? 0 : 8);
        // a split surrogate pair would decode to two other characters
        expect(parts.map((part) => decodeText(part, dataCoding)).join("")).toBe(text);
      }),
    );
  });

  it("into parts that fit a short message, never inside a surrogate pair", () => {
    fc.assert(
      fc.property(longText, (text) => {
        const { dataCoding, parts } = encodeText(text);
        for (const part of parts) {
          const [single, concatenated] = dataCoding === 0 ? [160, 153] : [140, 134];
          expect(part.length).toBeLessThanOrEqual(parts.length === 1 ? single : concatenated);
          expect(decodeText(part, dataCoding)).not.toMatch(/\p{Surrogate}/u);
          expect(part.at(-1)).not.toBe(0x1b);
        }
      }),
    );
  });

  it("into one part if it is empty", () => {
    expect(encodeText("")).toEqual({ dataCoding: 0, parts: [Buffer.alloc(0)] });
  });
});

it("encodes GSM-7 as in 3GPP TS 23.038", () => {
  expect(encodeText("@Δ ~€ñà").parts[0]?.toString("hex")).toBe("0010201b3d1b657d7f");
});

describe("a carrier's default alphabet", () => {
  it.each([
    ["latin1", "@[é~ñ", 0, "405be97ef1"],
    ["latin1", "€", 8, "20ac"],
    ["latin1", "Δ", 8, "0394"],
    // Latin-1 has it, but GSM-7 does not: it would take the whole text to UCS-2 on the air
    ["latin1", "ê", 8, "00ea"],
    ["ascii", "@$_~\n", 0, "40245f7e0a"],
    ["ascii", "é", 8, "00e9"],
    ["ascii", "`", 8, "0060"],
    ["gsm7", "€", 0, "1b65"],
  ] as const)("%s encodes %j with data_coding %i", (alphabet, text, dataCoding, hex) => {
    const encoded = encodeText(text, alphabet);
    expect([encoded.dataCoding, encoded.parts.map((part) => part.toString("hex"))]).toEqual([dataCoding, [hex]]);
  });

  it.each(["latin1", "ascii"] as const)("%s splits a text where GSM-7 does", (alphabet) => {
    const inBoth = fc.string({ unit: fc.constantFrom(..."@$aZ9{[~]|^\\ "), maxLength: 700 });
    fc.assert(
      fc.property(inBoth, (text) => {
        const { parts } = encodeText(text, alphabet);
        const inGsm7 = encodeText(text).parts.map((part) => decodeText(part, 0));
        expect(parts.map((part) => decodeText(part, 0, alphabet))).toEqual(inGsm7);
      }),
    );
  });
});

describe("a text is decoded", () => {
  it.each([
    ["in GSM-7", 0, "1b6500486921", "€@Hi!"],
    ["in GSM-7 with an undefined escape", 0, "411b42", "AB"],
    ["in GSM-7 with two escapes", 0, "411b1b42", "A B"],
    ["in GSM-7 that ends in an escape", 0, "411b", "A"],
    ["in Latin-1 declared as GSM-7", 0, "c4e9", "Äé"],
    ["in ASCII", 1, "40247e", "@$~"],
    ["in Latin-1", 3, "40e9", "@é"],
    ["in UCS-2", 8, "044f20ac", "я€"],
    ["in UCS-2 with a pair", 8, "d83dde00", "😀"],
    ["in UCS-2 with half a character", 8, "044f20", "я"],
    ["in UCS-2 with a message class", 0x18, "044f", "я"],
    ["in GSM-7 with a message class", 0x10, "00", "@"],
    ["in GSM-7 with a message class of another group", 0xf0, "00", "@"],
    ["in octets with a message class", 0xf5, "e9", "é"],
    ["in octets", 4, "e9", "é"],
    ["of no octets", 8, "", ""],
  ])("%s", (_what, dataCoding, hex, text) => {
    expect(decodeText(Buffer.from(hex, "hex"), dataCoding)).toBe(text);
  });
});
