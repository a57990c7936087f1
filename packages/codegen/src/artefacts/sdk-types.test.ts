import { expect, it } from "vitest";
import { parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact } from "./sdk-types.ts";

const text = String(await artefact.render(parcels()));

it("every schema gets a type of its own name, with its description", () => {
  expect(text).toContain('/** A parcel to send. */\nexport type ParcelRequest = Schemas["ParcelRequest"];');
  expect(text.match(/^export type \w+ = Schemas/gm)).toHaveLength(7);
});

it("the values of an enum are exported next to its type", () => {
  expect(text).toMatch(
    /^export type ParcelStatus = Schemas\["ParcelStatus"\];\n\n(?:\/\*\*.*\*\/\n)?export const ParcelStatus = \{ [A-Z]+: "[A-Z]+",.* \} as const;$/m,
  );
  expect(text).not.toContain("export const ParcelView");
});

it("a body without a description is documented by the method that takes it", () => {
  const silent = parcels(parcelsWith("description: A parcel to send.\n", "title: Request\n"));
  expect(artefact.render(silent)).toContain("/** Body of `client.parcels.send`. */\nexport type ParcelRequest =");
});

it("the query of each operation that has one gets a named type", () => {
  expect(text).toContain(
    '/** Query values of `client.parcels.list`. */\nexport type ListParcelsQuery = NonNullable<\n  paths["/depots/{depotId}/parcels"]["get"]',
  );
  expect(text.match(/Query = /g)).toHaveLength(1);
});
