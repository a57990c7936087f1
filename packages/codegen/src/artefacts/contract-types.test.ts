import { expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";
import { artefact } from "./contract-types.ts";

const text = await artefact.render(parcels());

it.each([
  ["an int64 of a request may be a bigint", "weightGrams: number | bigint;"],
  ["an int64 in a path may be a bigint", "parcelId: number | bigint;"],
  ["an int64 of a reply is a number", "parcelId: number;"],
  ["a nullable int64 of a reply is a number or null", "note: number | null;"],
  ["a double is never a bigint", "litres: number;"],
  ["a request's enum is closed", 'kind: components["schemas"]["ParcelKind"];'],
  ["a view's enum is open", 'status: components["schemas"]["ParcelStatus"] | (string & {});'],
  ["a view's nullable enum is open", 'lastStatus: components["schemas"]["ParcelStatus"] | (string & {}) | null;'],
  ["a view's enum in a list is open", 'tags: (components["schemas"]["ParcelStatus"] | (string & {}))[];'],
  ["a reference may be null", 'size: components["schemas"]["Size"] | null;'],
  ["a default does not make a field required", "fragile?: boolean | undefined;"],
  ["a query parameter may be undefined", "limit?: number | undefined;"],
  ["a header may be undefined", '"Idempotency-Key"?: components["parameters"]["IdempotencyKey"] | undefined;'],
])("%s", (_, line) => {
  expect(text).toContain(line);
});
