import { expect, it } from "vitest";
import { PARCELS, parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact } from "./mcp-tools.ts";

async function render(text = PARCELS): Promise<string> {
  return artefact.render(parcels(text));
}

it("each operation is a tool, named by its command, with one object of arguments from path, query, body and key", async () => {
  const text = await render();
  for (const name of ["parcels_send", "parcels_list", "parcels_get", "labels_print", "pings_send"])
    expect(text).toContain(`name: "${name}"`);
  const send = text.slice(text.indexOf('name: "parcels_send"'), text.indexOf('name: "parcels_list"'));
  expect(send).toContain('cost: "billable"');
  expect(send).toContain('pathParameters: ["depotId"]');
  expect(send).toMatch(/properties: \{\s+depotId: [\s\S]+kind: [\s\S]+weightGrams: [\s\S]+idempotencyKey: /);
  expect(send).toContain('kind: { type: "string", enum: ["BOX", "LETTER"], description: "Form of a parcel." }');
});

it("credentials are in no schema; those of a reply are named", async () => {
  const volume = "litres: { type: number, format: double, description: Volume. }";
  const text = await render(parcelsWith(volume, volume.replace(" }", ", x-secret: true }")));
  const get = text.slice(text.indexOf('name: "parcels_get"'), text.indexOf('name: "labels_print"'));
  expect(get).toContain('secrets: ["size.litres"]');
  expect(get).not.toContain("litres: {");
  expect(text).not.toContain("pin: {");
});

it("a person's number is a recipient in a request, and a contact in a reply", async () => {
  const request = parcelsWith(
    "weightGrams: { type: integer, format: int64, minimum: 1, description: Weight in grams. }",
    "weightGrams: { type: integer, format: int64, minimum: 1, description: Weight in grams., x-contact: true }",
  );
  expect(await render(request)).toContain('recipients: ["weightGrams"]');
});

it.each([
  ["fields", "has a value named fields, which is an argument of every tool"],
  ["depotId", "has two values named depotId, which would be one argument of a tool"],
])("a contract with a field %s is refused", async (name, message) => {
  const fragile = "fragile: { type: boolean, default: false, description: Whether it breaks. }";
  await expect(render(parcelsWith(fragile, fragile.replace("fragile", name)))).rejects.toThrow(message);
});
