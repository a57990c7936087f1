import { expect, it } from "vitest";
import { readSmppAddress, toSmppAddress } from "./pdus.ts";

it.each([
  ["+12025550199", { ton: 1, npi: 1, address: "12025550199" }],
  ["12345", { ton: 3, npi: 0, address: "12345" }],
  ["Acme Shop", { ton: 5, npi: 0, address: "Acme Shop" }],
  ["4you", { ton: 5, npi: 0, address: "4you" }],
])("toSmppAddress converts %s to %o", (address, sent) => {
  expect(toSmppAddress(address)).toEqual(sent);
});

const sender = "+12025550199";

it.each([
  ["an international number", 1, "12025550100", "+12025550100"],
  ["an international number with its plus", 1, "+12025550100", "+12025550100"],
  ["a number of unknown type", 0, "447700900123", "+447700900123"],
  ["a number with an international dialling prefix", 0, "00447700900123", "+447700900123"],
  ["a short code", 0, "12345", "12345"],
  ["a national number", 2, "2025550100", "+12025550100"],
  ["a national number marked as international", 1, "2025552012", "+12025552012"],
  ["a national number of unknown type", 0, "2025552012", "+12025552012"],
  ["ten digits that are not a number of the sender's country", 0, "4915112345", "4915112345"],
  ["ten digits with a plus", 1, "+2025552777", "+2025552777"],
  ["a Mexican mobile number in its old format", 1, "5215512345678", "+525512345678"],
  ["a name", 5, "Acme", "Acme"],
  ["nothing", 0, "", ""],
])("readSmppAddress reads %s", (_what, ton, address, read) => {
  expect(readSmppAddress(ton, address, sender)).toBe(read);
});

it.each([
  ["+447700900123", 2, "07700900124", "+447700900124"],
  ["+447700900123", 0, "447700900124", "+447700900124"],
  ["+4930123456", 1, "4930123457", "+4930123457"],
  ["12345", 2, "2025550100", "2025550100"],
  ["12345", 1, "12025550100", "+12025550100"],
])("for the sender %s and type %i, readSmppAddress reads %s as %s", (own, ton, address, read) => {
  expect(readSmppAddress(ton, address, own)).toBe(read);
});
