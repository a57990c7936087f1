import type { Artefact } from "../artefact.ts";
import { artefact as cliHints } from "./cli-hints.ts";
import { artefact as cliIndex } from "./cli-index.ts";
import { artefact as cliRecords } from "./cli-records.ts";
import { artefact as constants } from "./constants.ts";
import { artefact as contractTypes } from "./contract-types.ts";
import { artefact as dashboardForms } from "./dashboard-forms.ts";
import { artefact as errorCodes } from "./error-codes.ts";
import { artefact as mcpTools } from "./mcp-tools.ts";
import { artefact as mockExamples } from "./mock-examples.ts";
import { artefact as operationTable } from "./operation-table.ts";
import { artefact as requestBodies } from "./request-bodies.ts";
import { artefact as schemas } from "./schemas.ts";
import { artefact as sdkMethods } from "./sdk-methods.ts";
import { artefact as sdkTypes } from "./sdk-types.ts";

/** Every file that the contract generates. */
export const artefacts: readonly Artefact[] = [
  ...[contractTypes, operationTable, schemas, errorCodes, constants],
  ...[sdkMethods, sdkTypes],
  ...[cliIndex, cliRecords, cliHints],
  mcpTools,
  mockExamples,
  requestBodies,
  dashboardForms,
];
