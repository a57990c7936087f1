// The handlers of all operations.

import type { OperationId } from "@msgctl/contract";
import type { AnyHandler, Handlers } from "../steps/operation.ts";
import { billingHandlers } from "./billing.ts";
import { consentHandlers } from "./consents.ts";
import { alertHandlers, merchantHandlers } from "./merchants.ts";
import { messageHandlers, simulatorHandlers } from "./messages.ts";
import { provisioningHandlers } from "./provisioning.ts";
import { registrationHandlers } from "./registration.ts";
import { reportHandlers } from "./reports.ts";
import { ttsCallHandlers } from "./tts-calls.ts";

// an operation of the contract without a handler fails the type check here
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

/** The operation's handler. */
export function findHandler(operationId: OperationId): AnyHandler {
  return (handlers as Readonly<Record<OperationId, AnyHandler>>)[operationId];
}
