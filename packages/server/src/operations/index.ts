import type { OperationId } from "@msgctl/contract";
import { alertHandlers } from "./alerts.ts";
import { billingHandlers } from "./billing.ts";
import { consentHandlers } from "./consents.ts";
import { type LaterOperationId, laterOperations } from "./later.ts";
import { merchantHandlers } from "./merchants.ts";
import { messageHandlers } from "./messages.ts";
import type { AnyHandler, Handlers } from "./operation.ts";
import { provisioningHandlers } from "./provisioning.ts";
import { registrationHandlers } from "./registration.ts";
import { reportHandlers } from "./reports.ts";
import { simulatorHandlers } from "./simulator.ts";
import { ttsCallHandlers } from "./tts-calls.ts";
import { voiceSendHandlers } from "./voice-sends.ts";

// An operation of the contract that is neither handled nor on the list of later ones fails the type check here,
const handlers = {
  ...merchantHandlers,
  ...consentHandlers,
  ...messageHandlers,
  ...voiceSendHandlers,
  ...ttsCallHandlers,
  ...alertHandlers,
  ...billingHandlers,
  ...provisioningHandlers,
  ...registrationHandlers,
  ...reportHandlers,
  ...simulatorHandlers,
} satisfies Handlers<Exclude<OperationId, LaterOperationId>>;

// and one that is both fails it here.
const later: readonly Exclude<OperationId, keyof typeof handlers>[] = laterOperations;

/** The operation's handler, or undefined where this version answers 501. */
export function handlerOf(operationId: OperationId): AnyHandler | undefined {
  const handler = (handlers as Partial<Record<OperationId, AnyHandler>>)[operationId];
  if (handler === undefined && !(later as readonly OperationId[]).includes(operationId)) {
    throw new Error(`operation ${operationId} has no handler`);
  }
  return handler;
}
