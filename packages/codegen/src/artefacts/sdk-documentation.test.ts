import { expect, it } from "vitest";
import type { Contract } from "../model.ts";
import { parcels, parcelsWith } from "../testing/parcels.ts";
import { argumentsOf } from "./sdk-arguments.ts";
import { documentation } from "./sdk-documentation.ts";
import { comment, wrap } from "./sdk-words.ts";

function documented(operationId: string, contract: Contract = parcels()): string {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`${operationId} is not in the document.`);
  return documentation(contract, operation, argumentsOf(contract, operation)).join("\n");
}

it("includes the contract's description", () => {
  expect(documented("sendParcel")).toBe(
    [
      "Send a parcel",
      "",
      "Hands a parcel to the depot.",
      "",
      "@param depotId - Name of the depot.",
      "@param body - Required: `kind`, `weightGrams`. Optional: `pin`, `fragile`.",
      "@param options - Idempotency key, signal, time limit, headers.",
      "@returns A parcel.",
      "@throws {ApiError} 404 `parcel_not_found`: No such parcel",
      "@throws {ApiError} 422 `too_heavy`: Too heavy",
      "@example",
      'const reply = await client.parcels.send("depotId", { kind: "BOX", weightGrams: 100 });',
    ].join("\n"),
  );
});

it("describes each value of a query", () => {
  expect(documented("listParcels")).toContain("@param query - `limit`: At most so many.");
});

it("takes the path value of an example from the example of the reply", () => {
  expect(documented("getParcel")).toContain("await client.parcels.get(7);");
});

it("gives the query its required values", () => {
  const limit = "- name: limit\n          in: query";
  const withLimit = (more: string) => documented("listParcels", parcels(parcelsWith(limit, `${limit}${more}`)));
  expect(withLimit("")).toContain('client.parcels.list("depotId");');
  expect(withLimit("\n          required: true\n          example: 20")).toContain(
    'client.parcels.list("depotId", { limit: 20 });',
  );
  expect(withLimit("\n          required: true")).toContain('client.parcels.list("depotId", { limit: 50 });');
});

it("documents no result if the reply is empty", () => {
  expect(documented("ping")).toMatch(/@example\nawait client\.pings\.send\(\);$/);
});

it("names the errors of every operation together", () => {
  const contract = parcels();
  for (const operation of contract.operations)
    operation.errors = [{ status: 404, codes: ["parcel_not_found"], headers: {} }];
  expect(documented("sendParcel", contract)).toContain("@throws {ApiError} For every operation: `parcel_not_found`\n");
});

it("writes a long example on several lines", () => {
  const long = parcelsWith(
    "kind: BOX, weightGrams: 100 }",
    `kind: BOX, weightGrams: 100, pin: "${"1234 ".repeat(20)}" }`,
  );
  expect(documented("sendParcel", parcels(long))).toContain('send("depotId", {\n  kind: "BOX",\n  weightGrams: 100,\n');
});

it("breaks long text and keeps paragraphs", () => {
  const text = parcelsWith(
    "description: Hands a parcel to the depot.",
    `description: "${"word ".repeat(40)}\\n\\nSecond paragraph."`,
  );
  const lines = documented("sendParcel", parcels(text)).split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(114);
  expect(lines).toContain("Second paragraph.");
});

it("indents continuation lines", () => {
  expect(wrap("word ".repeat(40), "  ")[1]).toMatch(/^ {2}word/);
});

it("escapes text that would end the comment", () => {
  expect(comment(["Runs */5 * * * *", "always"])).toEqual(["/**", " * Runs *\\/5 * * * *", " * always", " */"]);
});
