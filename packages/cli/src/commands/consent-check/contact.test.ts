import { describe, expect, it } from "vitest";
import { readContact } from "./contact.ts";

describe("a contact", () => {
  it.each([
    ["+12025550100", { kind: "phone", contact: "+12025550100" }],
    [" +12025550100 ", { kind: "phone", contact: "+12025550100" }],
    ["Mara+Tag@Example.COM", { kind: "email", contact: "mara+tag@example.com" }],
    ["mara@bücher.example", { kind: "email", contact: "mara@xn--bcher-kva.example" }],
    ["12025550100", undefined],
    ["+1 202 555 0100", undefined],
    ["mara", undefined],
    ["mara @example.com", undefined],
    ["mara@example.com/path", undefined],
    ["mara@", undefined],
    ["", undefined],
  ])("is read from %j as %j", (text, contact) => {
    expect(readContact(text)).toEqual(contact);
  });
});
