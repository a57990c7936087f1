import { expect, it } from "vitest";
import { parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact } from "./mock-examples.ts";

const refusal = `        "422":
          description: Refused.
`;
const withHeaders = parcelsWith(
  refusal,
  `${refusal}          headers:
            Retry-After: { schema: { type: integer }, example: 1 }
            Repeated: { schema: { type: boolean }, examples: { first: { value: false }, repeat: { value: true } } }
            Silent: { schema: { type: string } }
`,
);

it("the file has the first example of each success reply, and no value for a reply without a body", async () => {
  const text = await artefact.render(parcels());
  expect(text).toContain(`
  getParcel: {
    status: 200,
    mediaType: "application/json",
    headers: {},
    value: {
      parcelId: 7,
      kind: "BOX",
      status: "QUEUED",
      lastStatus: null,
      size: { litres: 2 },
      note: null,
      tags: ["LIGHT"],
    },
  },
  getLabel: { status: 200, mediaType: "application/xml", headers: {} },
  ping: { status: 204, mediaType: null, headers: {} },
`);
});

it("the file has each problem with all its members", async () => {
  expect(await artefact.render(parcels())).toContain(
    'too_heavy: { type: "/docs/errors/too_heavy", title: "Too heavy", status: 422, code: "too_heavy" },',
  );
});

it("the file has those headers of a status that have an example", async () => {
  expect(await artefact.render(parcels(withHeaders))).toContain('422: { "Retry-After": "1", Repeated: "false" } };');
});

it("the file has only headers that every refusal with a status has", async () => {
  const missing = `    NotFound:
`;
  const own = parcelsWith(missing, `${missing}      headers: { Shared: { schema: { type: string }, example: a } }\n`);
  expect(await artefact.render(parcels(own))).toContain('404: { Shared: "a" },');
});
