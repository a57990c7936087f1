// The program of the thread that parses and validates long bodies for the contract's and the dashboard's operations.

import { schemas } from "@msgctl/contract/schemas";
import { schemas as dashboardSchemas } from "@msgctl/dashboard/api/schemas";
import { answerRequests } from "../../threads/worker-threads.ts";
import { createAjv } from "../validation/ajv.ts";
import { type BodyAnswer, createBodyCheck } from "./body-check.ts";

export interface BodyRequest {
  readonly schema: string | null;
  readonly bytes: Uint8Array;
}

const ajv = createAjv({ ...schemas, ...dashboardSchemas });
const check = createBodyCheck(() => ajv);

answerRequests<BodyRequest, BodyAnswer>(({ schema, bytes }) => check(schema, bytes));
