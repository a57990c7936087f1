import { expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";
import { artefact } from "./request-bodies.ts";

it("writes the first example of each request that has a body, and no other operation", async () => {
  const text = await artefact.render(parcels());
  expect(text).toContain(
    'requestBodies: Readonly<Partial<Record<OperationId, object>>> = { sendParcel: { kind: "BOX", weightGrams: 100 } };',
  );
});
