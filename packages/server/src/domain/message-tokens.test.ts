import { describe, expect, it } from "vitest";
import { createMessageTokens, readReturnAddress, TOKEN_CHARACTERS, toReturnAddress } from "./message-tokens.ts";

const messageId = "msg_01JDMC0000ABCDEFGHJKMNPQRS";
const tokens = createMessageTokens("pepper", "bounce");

describe("a token", () => {
  it("identifies its message, even in capitals", () => {
    const token = tokens.make(messageId);
    expect(token).toHaveLength(TOKEN_CHARACTERS);
    expect([tokens.read(token), tokens.read(token.toUpperCase())]).toEqual([messageId, messageId]);
  });

  it("is valid for one purpose and one installation", () => {
    const token = tokens.make(messageId);
    expect(createMessageTokens("pepper", "unsubscribe").read(token)).toBeUndefined();
    expect(createMessageTokens("another", "bounce").read(token)).toBeUndefined();
  });

  it("is invalid if it was changed", () => {
    const token = tokens.make(messageId);
    for (let at = 0; at < token.length; at++) {
      const changed = token[at] === "0" ? "1" : "0";
      expect(tokens.read(token.slice(0, at) + changed + token.slice(at + 1)), `character ${at}`).toBeUndefined();
    }
    for (const text of ["", "-", messageId, `${token}0`, ` ${token}`, token.slice(1)]) {
      expect(tokens.read(text)).toBeUndefined();
    }
  });
});

it("a return address identifies its message, and other addresses identify none", () => {
  const address = toReturnAddress("bounces@acme.example", tokens, messageId);
  expect(address).toMatch(/^bounces\+[\da-z-]{43}@acme\.example$/);
  expect(readReturnAddress(address, tokens)).toBe(messageId);
  for (const other of ["bounces@acme.example", "bounces+x@acme.example", "", "+@", address.replace("+", "")]) {
    expect(readReturnAddress(other, tokens)).toBeUndefined();
  }
});
