import { describe, expect, it } from "vitest";
import { readForm, signForm } from "./signature.ts";

/** The example of https://www.twilio.com/docs/usage/security#validating-requests. */
const URL = "https://mycompany.com/myapp.php?foo=1&bar=2";
const fields = new Map([
  ["Digits", "1234"],
  ["To", "+18005551212"],
  ["From", "+14158675309"],
  ["Caller", "+14158675309"],
  ["CallSid", "CA1234567890ABCDE"],
]);
const SIGNATURE = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

describe("signForm()", () => {
  it("signs Twilio's own example as Twilio does", () => {
    expect(signForm("12345", URL, fields)).toBe(SIGNATURE);
  });

  it("depends on the token, the URL with its query, and each field", () => {
    const others = [
      signForm("12346", URL, fields),
      signForm("12345", `${URL}3`, fields),
      signForm("12345", URL, new Map([...fields, ["Digits", "1235"]])),
      signForm("12345", URL, new Map([...fields, ["Extra", ""]])),
    ];
    expect(new Set([SIGNATURE, ...others]).size).toBe(5);
  });
});

it("readForm() decodes fields, and refuses repeated ones and too many", () => {
  expect(readForm("Body=a+b%26c&From=%2B1")).toEqual(
    new Map([
      ["Body", "a b&c"],
      ["From", "+1"],
    ]),
  );
  expect(readForm("")).toEqual(new Map());
  expect(readForm("a=1&a=2")).toBeUndefined();
  expect(readForm(Array.from({ length: 201 }, (_none, index) => `f${index}=1`).join("&"))).toBeUndefined();
});
