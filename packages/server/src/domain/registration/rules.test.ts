import { describe, expect, it } from "vitest";
import { findAddressFaults, findSameBrand, foldBusinessName } from "./rules.ts";

describe("foldBusinessName", () => {
  it.each([
    ["Bright Dental, LLC", " BRIGHT  dental l.l.c.", true],
    ["Café Ｏne", "CAFÉ one", true],
    ["Bright Dental", "Bright Dentals", false],
    ["!!", "!", false],
  ])("treats %j and %j as the same name: %s", (one, other, isSame) => {
    expect(foldBusinessName(one) === foldBusinessName(other)).toBe(isSame);
  });
});

describe("findSameBrand", () => {
  const known = (id: number, change: object = {}) => ({
    id,
    provider: "own",
    providerBrandId: null as string | null,
    externalBrandRef: null as string | null,
    foldedName: "a",
    ...change,
  });
  const asked = {
    provider: undefined,
    ownProvider: "own",
    providerBrandId: null,
    externalBrandRef: null,
    foldedName: "a",
  };
  const brands = [
    known(6, { foldedName: "c", externalBrandRef: "r6" }),
    known(5, { provider: "tcr", providerBrandId: "P1" }),
    known(4, { providerBrandId: "P1", externalBrandRef: "r4" }),
    known(3, { externalBrandRef: "r3" }),
    known(2, { foldedName: "b" }),
    known(1),
  ];

  it.each([
    [{ providerBrandId: "P1" }, 4],
    [{ providerBrandId: "P1", provider: "tcr" }, 5],
    [{ providerBrandId: "P1", externalBrandRef: "r3" }, 4],
    [{ externalBrandRef: "r3", foldedName: "other" }, 3],
    [{ externalBrandRef: "r4", providerBrandId: "P9", foldedName: "z" }, undefined],
    [{ externalBrandRef: "r6", providerBrandId: "P9" }, 6],
    [{ externalBrandRef: "new" }, 1],
    [{ externalBrandRef: "new", foldedName: "c" }, undefined],
    [{ foldedName: "c" }, 6],
    [{}, 4],
    [{ provider: "tcr" }, 5],
    [{ provider: "nobody" }, undefined],
    [{ foldedName: "b" }, 2],
    [{ providerBrandId: "P9", foldedName: "b" }, 2],
  ])("for %j finds brand %s", (change, id) => {
    expect(findSameBrand(brands, { ...asked, ...change })?.id).toBe(id);
  });
});

describe("findAddressFaults", () => {
  it.each([
    [{}, []],
    [{ country: "US", state: "DC", postalCode: "20005-1234" }, []],
    [{ country: "US", state: "PR", postalCode: "00901" }, []],
    [{ country: "DE", state: "Bavaria", postalCode: "80331 M" }, []],
    [{ state: "Bavaria", postalCode: "x" }, []],
    [{ country: "XX" }, ["country"]],
    [{ country: "US", state: "dc", postalCode: "2000" }, ["state", "postalCode"]],
    [{ country: "US", state: "XX", postalCode: "20005-" }, ["state", "postalCode"]],
  ])("for %j returns the fields %j", (address, fields) => {
    expect(findAddressFaults(address).map(({ field }) => field)).toEqual(fields);
  });
});
