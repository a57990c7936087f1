// npm run generate; --check only compares.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { dashboardArtefacts } from "./artefacts/dashboard.ts";
import { artefacts } from "./artefacts/index.ts";
import { renderContract, renderPages } from "./generate.ts";
import { contractPages, packagePages } from "./pages/index.ts";
import { run } from "./run.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const stages = [
  () =>
    renderContract(root, artefacts, contractPages, [
      { path: "packages/dashboard/openapi.yaml", artefacts: dashboardArtefacts },
    ]),
  // made from msgctl and the SDK, parts of which the contract's stage has written
  () => renderPages(root, packagePages),
];

const { values } = parseArgs({ options: { check: { type: "boolean" } } });
process.exitCode = await run(root, stages, values.check ?? false);
