import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { addFormats } from "./formats.ts";

const ajv = new Ajv2020();
addFormats(ajv);

const LOCAL_PART = "a".repeat(64);

it.each<[format: string, fits: unknown[], fitsNot: unknown[]]>([
  ["e164", ["+12025550100", "+442079460000"], ["+9990000", "+1202", "2025550100", "+1 202 555 0100"]],
  [
    "email",
    ["dana@example.com", "a+b@example.com", "dana@exämple.com", `${LOCAL_PART}@example.com`],
    [
      "dana",
      "@example.com",
      "dana@localhost",
      "dana@example.com/path",
      "da na@example.com",
      `a${LOCAL_PART}@example.com`,
    ],
  ],
  ["iana-timezone", ["UTC", "America/New_York"], ["+01:00", "Mars/Olympus", ""]],
  ["date", ["2026-02-28"], ["2026-02-30", "2026-2-28"]],
  ["date-time", ["2026-02-28T12:00:00.000Z"], ["2026-02-28T12:00:00Z", "2026-02-28T12:00:00.000+00:00"]],
  ["uri", ["https://example.com/a"], ["example.com"]],
  ["uri-reference", ["https://example.com/a", "/a", "about:blank"], ["/a b", "%"]],
  ["int64", [Number.MAX_SAFE_INTEGER, -1], [Number.MAX_SAFE_INTEGER + 1]],
  ["int32", [2_147_483_647], [2_147_483_648]],
  ["double", [0.000001, 12.5], [0.0000001]],
])("format %s accepts exactly its valid values", (format, fits, fitsNot) => {
  const validate = ajv.compile({ type: typeof fits[0], format });
  expect([...fits, ...fitsNot].filter((value) => validate(value))).toEqual(fits);
});
