import { expect, it } from "vitest";
import { describeAllowances } from "./allowances.ts";

const all = ["OTP", "REMINDER", "MARKETING", "TRANSACTIONAL"] as const;
const allow = (merchantId: string | null, types: readonly (typeof all)[number][]) => ({
  ...{ channel: "SMS" as const, merchantId },
  types: [...types],
});

const said = (allowances: readonly ReturnType<typeof allow>[]) =>
  describeAllowances(allowances).map(({ sentences }) =>
    sentences.map(({ merchantIds, isAll, words }) => `${isAll ? "all" : merchantIds.join(" ") || "others"} ${words}`),
  );

it("has a sentence for merchants that may send the same, and one for the others", () => {
  expect(said([allow("m1", all), allow("m2", []), allow("m3", all), allow(null, ["OTP", "TRANSACTIONAL"])])).toEqual([
    [
      "m1 m3 may send everything",
      "m2 may send nothing",
      "others may send only one-time passwords and transactional messages",
    ],
  ]);
});

it("is about all merchants if a decision makes no difference", () => {
  expect(said([allow("m1", ["OTP"]), allow(null, ["OTP"])])).toEqual([["all may send only one-time passwords"]]);
  expect(said([allow(null, all)])).toEqual([["all may send everything"]]);
});

it("is about the merchant of a user who sees one merchant", () => {
  expect(said([allow("m1", [])])).toEqual([["m1 may send nothing"]]);
});

it("keeps channels apart", () => {
  const calls = { ...allow(null, ["OTP"]), channel: "VOICE" as const };
  expect(describeAllowances([allow(null, all), calls]).map(({ channel }) => channel)).toEqual(["SMS", "VOICE"]);
});
