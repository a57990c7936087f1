import { describe, expect, it } from "vitest";
import { BODY_LIMIT_BYTES } from "./body-refusals.ts";
import { LongBody } from "./long-body.ts";

const most = { items: 100, members: 100 };

/** The text that comes of bytes in pieces of so many. */
function read(bytes: Buffer, length: number): string {
  const body = new LongBody(most);
  for (let start = 0; start < bytes.length; start += length) body.take(bytes.subarray(start, start + length));
  return body.end();
}

describe("a long body", () => {
  it("is the same text in whatever pieces its bytes come", () => {
    const text = '{"a":"aé€😀","b":"é€😀","c":"€😀\u{10ffff}"}';
    const bytes = Buffer.from(text);
    for (let length = 1; length <= bytes.length; length++) expect(read(bytes, length)).toBe(text);
  });

  it.each([
    ["a byte that begins nothing", [0xff]],
    ["a character that goes on too long", [0xc3, 0xa9, 0xa9]],
    ["a character that is cut off", [0xf0, 0x9f, 0x98]],
    ["a character that something else comes into", [0xe2, 0x82, 0x22]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
  ])("with %s is no UTF-8, in whatever pieces it comes", (_case, wrong) => {
    const bytes = Buffer.from([0x22, ...wrong]);
    for (let length = 1; length <= bytes.length; length++) {
      expect(() => read(bytes, length)).toThrow("The body is not valid UTF-8.");
    }
  });

  it("without a byte is told so", () => {
    expect(() => read(Buffer.alloc(0), 1)).toThrow("The body is empty. Send a JSON object.");
  });

  it("that is refused is read to its end", () => {
    const body = new LongBody(most);
    body.take(Buffer.from("[0"));
    for (let piece = 0; piece < 10; piece++) body.take(Buffer.from(",0".repeat(50)));
    expect(() => body.end()).toThrow("The request has 1 fault: see errors.");
  });

  it("that is too large is read no further", () => {
    const body = new LongBody(most);
    const piece = Buffer.alloc(BODY_LIMIT_BYTES / 4, " ");
    for (let count = 0; count < 4; count++) body.take(piece);
    expect(() => body.take(Buffer.from(" "))).toThrow(
      "The body has more than 2097152 bytes; at most 2097152 (2 MiB) are read.",
    );
  });
});
