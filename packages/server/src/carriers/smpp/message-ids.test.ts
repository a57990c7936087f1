import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseMessageId } from "./inbound.ts";

describe("normaliseMessageId", () => {
  it.each([
    ["same", "636445148", "0636445148"],
    ["same", "00B8BE19", "b8be19"],
    ["same", " 1a2B ", "1A2b"],
    ["same", "0", "000"],
    ["same", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
    ["same", "id-7", " id-7 "],
    ["hex-as-decimal", "33E95179", "870928761"],
    ["hex-as-decimal", "0000001A", "26"],
    ["hex-as-decimal", "ffffffffffffffffff", "4722366482869645213695"],
    ["hex-as-decimal", "1a2b", "1A2B"],
    ["hex-as-decimal", "id-7", "id-7"],
    ["decimal-as-hex", "870928761", "33e95179"],
    ["decimal-as-hex", "0000000026", "1A"],
    ["decimal-as-hex", "1A", "1a"],
  ] as const)("%s: %s in a response, %s in a receipt", (receiptIds, response, receipt) => {
    expect(normaliseMessageId(receipt, "receipt", receiptIds)).toBe(
      normaliseMessageId(response, "response", receiptIds),
    );
  });

  it("normalizes a number to the same id in each base", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), fc.nat({ max: 12 }), (number, zeros) => {
        const decimal = "0".repeat(zeros) + number.toString();
        const hex = "0".repeat(zeros) + number.toString(16);
        expect(normaliseMessageId(hex.toUpperCase(), "receipt", "same")).toBe(
          normaliseMessageId(hex, "response", "same"),
        );
        expect(normaliseMessageId(decimal, "receipt", "hex-as-decimal")).toBe(
          normaliseMessageId(hex, "response", "hex-as-decimal"),
        );
        expect(normaliseMessageId(hex, "receipt", "decimal-as-hex")).toBe(
          normaliseMessageId(decimal, "response", "decimal-as-hex"),
        );
      }),
    );
  });
});

it("keeps different ids apart", () => {
  for (const [one, other] of [
    ["msgA", "msga"],
    ["10", "100"],
    ["a0", "a"],
    ["id-7", "7"],
  ] as const) {
    expect(normaliseMessageId(one, "response", "same")).not.toBe(normaliseMessageId(other, "response", "same"));
  }
});
