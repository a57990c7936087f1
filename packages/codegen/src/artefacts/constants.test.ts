import { expect, it } from "vitest";
import { parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact } from "./constants.ts";

const render = async (text?: string) => artefact.render(parcels(text));

it("writes the values of each named string with values, and the states that end a wait", async () => {
  const text = await render();
  expect(text).toContain('export const PARCEL_KIND_VALUES = ["BOX", "LETTER"] as const;\n');
  expect(text).toContain('export const PARCEL_STATUS_VALUES = ["QUEUED", "ARRIVED", "LOST"] as const;\n');
  expect(text).toContain('export const PARCEL_STATUS_ENDS = ["ARRIVED", "LOST"] as const;\n');
});

it("writes pattern and lengths of a named string", async () => {
  const text = await render(
    parcelsWith("      enum: [BOX, LETTER]\n", '      pattern: "^[A-Z/]+$"\n      minLength: 1\n      maxLength: 9\n'),
  );
  expect(text).toContain(
    [
      "export const PARCEL_KIND_PATTERN = /^[A-Z/]+$/u;",
      "export const PARCEL_KIND_MIN_LENGTH = 1;",
      "export const PARCEL_KIND_MAX_LENGTH = 9;\n",
    ].join("\n"),
  );
});

it("writes how long a parameter's values are kept", async () => {
  const text = await render(
    parcelsWith(
      "      name: Idempotency-Key\n",
      "      name: Idempotency-Key\n      x-kept-days: { default: 7, minimum: 3 }\n",
    ),
  );
  expect(text).toContain("export const IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT = 7;\n");
  expect(text).toContain("export const IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM = 3;\n");
});

it("writes the number of concurrent calls of a client", async () => {
  const text = await render(
    parcelsWith("\npaths:\n", "\nx-bulk-concurrency: { default: 2, minimum: 1, maximum: 4 }\npaths:\n"),
  );
  expect(text).toContain("export const BULK_CONCURRENCY_DEFAULT = 2;\n");
  expect(text).toContain("export const BULK_CONCURRENCY_MAXIMUM = 4;\n");
});

it("writes the path of the pages about problem codes", async () => {
  expect(await render()).toContain('export const PROBLEM_PAGES = "/docs/errors/";\n');
});

it("writes no constant twice", async () => {
  const names = [...(await render()).matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});
