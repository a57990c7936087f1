import { expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";
import { artefact } from "./contract-types.ts";

const text = await artefact.render(parcels());

it.each([
  ["an int64 of a request may be a bigint", "weightGrams: number | bigint;"],
  ["and one in a path", "parcelId: number | bigint;"],
  ["one of a reply is a number", "parcelId: number;"],
  ["a nullable one too", "note: number | null;"],
  ["other numbers may not", "litres: number;"],
  ["a request's enum is closed", 'kind: components["schemas"]["ParcelKind"];'],
  ["a view's enum is open", 'status: components["schemas"]["ParcelStatus"] | (string & {});'],
  ["a nullable one too", 'lastStatus: components["schemas"]["ParcelStatus"] | (string & {}) | null;'],
  ["and one in a list", 'tags: (components["schemas"]["ParcelStatus"] | (string & {}))[];'],
  ["a reference may be null", 'size: components["schemas"]["Size"] | null;'],
  ["a default does not make a field required", "fragile?: boolean | undefined;"],
  ["a member of a query may be undefined", "limit?: number | undefined;"],
  ["one of the headers too", '"Idempotency-Key"?: components["parameters"]["IdempotencyKey"] | undefined;'],
])("%s", (_, line) => {
  expect(text).toContain(line);
});
