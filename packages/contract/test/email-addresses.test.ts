import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEmailAddress, parseWrittenEmailAddress } from "../src/email-addresses.ts";

describe("parseEmailAddress", () => {
  it.each([
    ["jane@example.com", "jane@example.com", "already normal"],
    ["  Jane.Doe@EXAMPLE.Com \n", "jane.doe@example.com", "space around it and capitals"],
    ["jane+news@example.com", "jane+news@example.com", "a tag is part of the address"],
    ["jane@bücher.example", "jane@xn--bcher-kva.example", "an international domain"],
    ["jane@BÜCHER.example", "jane@xn--bcher-kva.example", "the same in capitals"],
    ["jane@xn--bcher-kva.example", "jane@xn--bcher-kva.example", "the same, in its ASCII form"],
    ["o'neil_%@mail.example.co.uk", "o'neil_%@mail.example.co.uk", "unusual but allowed"],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`, "the longest local part"],
  ])("reads %j as %j: %s", (value, normal) => {
    expect(parseEmailAddress(value)).toBe(normal);
  });

  it.each([
    ["", "empty"],
    ["jane", "no domain"],
    ["@example.com", "no local part"],
    ["jane@", "an empty domain"],
    ["jane@localhost", "a domain of one label"],
    ["jane@doe@example.com", "two signs"],
    ["jane doe@example.com", "a space inside"],
    [".jane@example.com", "a leading dot"],
    ["jane..doe@example.com", "two dots"],
    ['"jane"@example.com', "quotes"],
    ["jane@[192.0.2.1]", "an address literal"],
    ["jane@192.0.2.1", "an address for a domain"],
    ["jane@-example.com", "a label that begins with a hyphen"],
    ["jane@example..com", "an empty label"],
    ["jane@ex%61mple.com", "a percent escape"],
    ["jane@exa_mple.com", "an underscore in the domain"],
    ["jane@xn--a.example", "a broken ASCII form"],
    ["jane@example.com/path", "a path"],
    ["jane@bücher.example:25", "a port"],
    ["jane@exam\tple.com", "a tab in the domain"],
    ["jane@example.com\u0000", "a control character"],
    ["Jane <jane@example.com>", "a display name"],
    [`${"a".repeat(65)}@example.com`, "a local part of 65"],
    [`${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(4)}com`, "more than 254 in all"],
  ])("refuses %j: %s", (value) => {
    expect(parseEmailAddress(value)).toBeUndefined();
  });

  it("returns one form for one mailbox, however its letters are cased", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z+.\d]{1,20}$/),
        fc.stringMatching(/^[a-z\d]{1,10}\.[a-z]{2,5}$/),
        (local, domain) => {
          const address = `${local}@${domain}`;
          expect(parseEmailAddress(address.toUpperCase())).toBe(parseEmailAddress(address));
        },
      ),
    );
  });

  it("returns an address that it accepts again unchanged", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (value) => {
        const address = parseEmailAddress(value);
        if (address !== undefined) expect(parseEmailAddress(address)).toBe(address);
      }),
    );
  });
});

describe("parseWrittenEmailAddress", () => {
  it.each([
    [" Ada.Lovelace+News@Example.COM ", "Ada.Lovelace+News@example.com"],
    ["Ada@bücher.example", "Ada@xn--bcher-kva.example"],
    ["ada@example.com", "ada@example.com"],
    // U+212A, whose lower case is k
    ["\u212Aate@example.com", "kate@example.com"],
    ["Ada", undefined],
    ['"Ada"@example.com', undefined],
  ])("reads %j as %j: the local part as written", (value, written) => {
    expect(parseWrittenEmailAddress(value)).toBe(written);
    expect(written?.toLowerCase()).toBe(parseEmailAddress(value));
  });
});
