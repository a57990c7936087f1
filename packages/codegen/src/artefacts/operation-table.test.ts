import { expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";
import { artefact } from "./operation-table.ts";

const text = await artefact.render(parcels());

it("the table has each operation as data", () => {
  expect(text).toContain(`
  sendParcel: {
    operationId: "sendParcel",
    method: "POST",
    path: "/depots/{depotId}/parcels",
    tag: "Parcels",
    group: "parcels",
    name: "send",
    pathParameters: ["depotId"],
    queryParameters: [],
    idempotent: true,
    bodySchema: "ParcelRequest",
    successStatus: 200,
    responseSchema: "ParcelView",
    responseIsArray: false,
    responseMediaType: "application/json",
    errors: { 404: ["parcel_not_found"], 422: ["too_heavy"] },
    identity: ["parcelId"],
  },
  listParcels: {`);
});

it("the table has null for a missing body, view or reply", () => {
  const [label, ping] = text.split("getLabel: {")[1]?.split("ping: {") ?? [];
  expect(label).toContain(
    'responseSchema: null,\n    responseIsArray: false,\n    responseMediaType: "application/xml"',
  );
  expect(ping).toContain("bodySchema: null,\n    successStatus: 204,\n    responseSchema: null");
  expect(ping).toContain("responseMediaType: null");
});
