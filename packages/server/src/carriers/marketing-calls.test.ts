import { expect, it } from "vitest";
import { objectOf } from "../domain/document-checks.ts";
import { checkMarketingCalls, findOptOutKey, withIntro } from "./marketing-calls.ts";

it("the intro names the merchant and comes before the text", () => {
  const intro = " {merchant} here, {merchant}. Press 9 for no more calls. ";
  const spoken = withIntro("Sale!", { intro, optOutKey: "9" }, "A $& B");
  expect(spoken).toBe("A $& B here, A $& B. Press 9 for no more calls. Sale!");
});

it.each([
  ["intro", { intro: " ", optOutKey: "9" }],
  ["intro", { intro: "Hello {name}.", optOutKey: "9" }],
  ["intro", { intro: "Hello\n{merchant}.", optOutKey: "9" }],
  ["optOutKey", { intro: "Hello.", optOutKey: "#" }],
  ["optOutKey", { intro: "Hello.", optOutKey: "10" }],
])("a fault of the field %s is reported: %o", (name, marketing) => {
  const faults = checkMarketingCalls(objectOf({ marketing }, ""));
  expect(faults.map(({ pointer }) => pointer)).toEqual([`/marketing/${name}`]);
});

it("the setting may be left out, and digits are keys", () => {
  expect(checkMarketingCalls(objectOf({}, ""))).toEqual([]);
  expect(checkMarketingCalls(objectOf({ marketing: { intro: "{merchant}.", optOutKey: "0" } }, ""))).toEqual([]);
});

it("only a MARKETING call has a key, unless it is a test", () => {
  const marketing = { intro: "Press 9 for no more calls.", optOutKey: "9" };
  const call = { speech: "5f", language: "en-US", voice: "default", isRecorded: false, ringSeconds: 30 };
  expect(findOptOutKey({ type: "MARKETING", call }, marketing)).toBe("9");
  expect(findOptOutKey({ type: "MARKETING", call }, undefined)).toBeUndefined();
  expect(findOptOutKey({ type: "REMINDER", call }, marketing)).toBeUndefined();
  expect(findOptOutKey({ type: "MARKETING" }, marketing)).toBeUndefined();
});
