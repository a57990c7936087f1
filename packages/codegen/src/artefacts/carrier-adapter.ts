import type { Artefact } from "../artefact.ts";
import type { ApiDocument } from "../model.ts";
import { renderTypes } from "./contract-types.ts";
import { renderComponents } from "./schemas.ts";

/** Every file that is generated from the protocol of adapters. The types are published for authors of adapters, too. */
export const carrierAdapterArtefacts: readonly Artefact<ApiDocument>[] = [
  {
    path: "packages/server/src/generated/carrier-adapter.ts",
    render: async (document) => `${await renderTypes(document)}\nexport type Schemas = components["schemas"];\n`,
  },
  { path: "packages/server/src/generated/carrier-adapter-schemas.ts", render: renderComponents },
];
