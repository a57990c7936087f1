import type { Artefact } from "../artefact.ts";
import type { ApiDocument } from "../model.ts";
import { renderTypes } from "./contract-types.ts";
import { renderPlainTable } from "./operation-table.ts";
import { renderSchemas } from "./schemas.ts";

/** Every file that is generated from the document of the dashboard's own API. */
export const dashboardArtefacts: readonly Artefact<ApiDocument>[] = [
  { path: "packages/dashboard/src/generated/types.ts", render: renderTypes },
  { path: "packages/dashboard/src/generated/operations.ts", render: ({ operations }) => renderPlainTable(operations) },
  {
    path: "packages/dashboard/src/generated/schemas.ts",
    render: (document) => renderSchemas(document, "../operation-types.ts"),
  },
];
