// openapi-typescript reads the unchanged contract with its default options, and loses nothing.

import { pathToFileURL } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { beforeAll, expect, test } from "vitest";
import { documentFile, routes, schemas } from "./document.ts";

let types: string;

beforeAll(async () => {
  types = astToString(await openapiTS(pathToFileURL(documentFile)));
});

test("every operation has types", () => {
  const missing = routes.filter(({ operation }) => !types.includes(`operations["${operation.operationId}"]`));
  expect(missing).toEqual([]);
});

test("every schema has its own type, and no type is unknown", () => {
  const names = Object.keys(schemas);
  const declared = names.filter((name) => new RegExp(`^        ${name}: (?!unknown)`, "m").test(types));
  expect(declared).toEqual(names);
  const block = types.slice(types.indexOf("    schemas: {"), types.indexOf("    responses: {"));
  expect(block.match(/[:|&(] unknown/g)).toBeNull();
});
