// The handlers of all operations.

import type { OperationId } from "@msgctl/contract";
import { billingHandlers } from "./billing/operations.ts";
import { ttsCallHandlers } from "./calls/operations.ts";
import { consentHandlers } from "./consent/operations.ts";
import type { AnyHandler, Handlers } from "./handler.ts";
import { alertHandlers, merchantHandlers } from "./merchants/operations.ts";
import { messageHandlers, simulatorHandlers } from "./messages/operations.ts";
import { provisioningHandlers } from "./provisioning/operations.ts";
import { registrationHandlers } from "./registration/operations.ts";
import { reportHandlers } from "./reports/operations.ts";

// If an operation of the contract has no handler, the type check fails here.
const handlers = {
  ...merchantHandlers,
  ...consentHandlers,
  ...messageHandlers,
  ...ttsCallHandlers,
  ...alertHandlers,
  ...billingHandlers,
  ...provisioningHandlers,
  ...registrationHandlers,
  ...reportHandlers,
  ...simulatorHandlers,
} satisfies Handlers;

/** Finds the operation's handler. */
export function findHandler(operationId: OperationId): AnyHandler {
  return (handlers as Readonly<Record<OperationId, AnyHandler>>)[operationId];
}
