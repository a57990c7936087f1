import { expect, it } from "vitest";
import { readSmppAddress, toSmppAddress } from "./addresses.ts";

it.each([
  ["+12025550199", { ton: 1, npi: 1, address: "12025550199" }],
  ["12345", { ton: 3, npi: 0, address: "12345" }],
  ["Acme Shop", { ton: 5, npi: 0, address: "Acme Shop" }],
  ["4you", { ton: 5, npi: 0, address: "4you" }],
])("%s is sent as %o", (address, sent) => {
  expect(toSmppAddress(address)).toEqual(sent);
});

it.each([
  ["an international number", 1, "12025550100", "+12025550100"],
  ["an international number with its plus", 1, "+12025550100", "+12025550100"],
  ["a number of no type", 0, "447700900123", "+447700900123"],
  ["a number with the prefix of international calls", 0, "00447700900123", "+447700900123"],
  ["a short code", 0, "12345", "12345"],
  ["a national number", 2, "2025550100", "2025550100"],
  ["a name", 5, "Acme", "Acme"],
  ["nothing", 0, "", ""],
])("%s is read", (_what, ton, address, read) => {
  expect(readSmppAddress(ton, address)).toBe(read);
});
