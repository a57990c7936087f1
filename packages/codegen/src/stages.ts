// The stages of `npm run generate` for this project.
import { carrierAdapterArtefacts } from "./artefacts/carrier-adapter.ts";
import { dashboardArtefacts } from "./artefacts/dashboard.ts";
import { eventArtefacts } from "./artefacts/events.ts";
import { artefacts } from "./artefacts/index.ts";
import { renderContract, renderPages } from "./generate.ts";
import { contractPages, packagePages } from "./pages/index.ts";
import type { Stage } from "./run.ts";

const carrierAdapter = {
  path: "packages/server/carrier.openapi.yaml",
  isApart: true,
  artefacts: carrierAdapterArtefacts,
};
const dashboard = { path: "packages/dashboard/openapi.yaml", artefacts: dashboardArtefacts };
const events = { path: "packages/contract/events.openapi.yaml", artefacts: eventArtefacts };

/** The documents that are generated from beside the contract. */
export const documentsBeside = [events, dashboard, carrierAdapter];

/** The stages in order. The second reads msgctl and the SDK, which contain files of the first. */
export function stagesOf(root: string): readonly Stage[] {
  return [() => renderContract(root, artefacts, contractPages, documentsBeside), () => renderPages(root, packagePages)];
}
