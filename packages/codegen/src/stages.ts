// The stages of `npm run generate` for this project.
import { dashboardArtefacts } from "./artefacts/dashboard.ts";
import { artefacts } from "./artefacts/index.ts";
import { renderContract, renderPages } from "./generate.ts";
import { contractPages, packagePages } from "./pages/index.ts";
import type { Stage } from "./run.ts";

const dashboard = { path: "packages/dashboard/openapi.yaml", artefacts: dashboardArtefacts };

/** The stages in their order: the second reads msgctl and the SDK, parts of which the first writes. */
export function stagesOf(root: string): readonly Stage[] {
  return [() => renderContract(root, artefacts, contractPages, [dashboard]), () => renderPages(root, packagePages)];
}
