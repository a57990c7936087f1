// Reads the events of an adapter.

import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schemas } from "../../generated/carrier-adapter.ts";
import { schemas } from "../../generated/carrier-adapter-schemas.ts";
import { type DeliveryReport, isStorable, type ProviderEvent } from "../provider.ts";
import { toOutcome } from "./answers.ts";

type Event = Schemas["Event"];

/** The schema of each type of event. */
const schemaNames: Readonly<Record<Event["type"], keyof typeof schemas>> = {
  receipt: "Receipt",
  "part-receipt": "PartReceipt",
  "call-progress": "CallProgress",
  "call-end": "CallEnd",
  complaint: "Complaint",
  "opt-out": "OptOut",
  reply: "Reply",
  inbound: "Inbound",
  "late-outcome": "LateOutcome",
};

const ajv = new Ajv2020({ schemas: Object.values(schemas), strict: false, validateFormats: false });

/** An event, and the message that it is about, if it names one. */
export interface ReadEvent {
  readonly event: ProviderEvent;
  readonly messageId: string | undefined;
}

/** Reads the event of a request with a valid signature. Returns the fault if it is not one of the protocol. */
export function readEvent(body: string, eventId: string): ReadEvent | { readonly fault: string } {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    return { fault: "expected JSON" };
  }
  const { type } = Object(given) as { type?: unknown };
  const isKnown = typeof type === "string" && Object.hasOwn(schemaNames, type);
  if (!isKnown) return { fault: `/type: expected one of ${Object.keys(schemaNames).join(", ")}` };
  const validate = ajv.getSchema(schemaNames[type as Event["type"]]);
  if (validate?.(given) !== true) return { fault: ajv.errorsText(validate?.errors, { dataVar: "" }) };
  const unstorable = findUnstorable(given as Event);
  if (unstorable !== undefined) return { fault: `/${unstorable}: expected no NUL and no lone surrogate` };
  const event = toProviderEvent(given as Event, eventId);
  if (event === undefined) return { fault: "/outcome: expected one of this protocol" };
  return { event, messageId: "clientReference" in event ? event.clientReference : undefined };
}

/** Finds a number or id that no database can store. Texts and explanations are made storable instead. */
function findUnstorable(event: Event): string | undefined {
  const { part, from, to } = event as Partial<Schemas["PartReceipt"] & Schemas["Inbound"]>;
  return Object.entries({ part, from, to }).find(([, value = ""]) => !isStorable(value))?.[0];
}

function toProviderEvent(event: Event, eventId: string): ProviderEvent | undefined {
  switch (event.type) {
    case "receipt": {
      const { messageId: clientReference, providerMessageId } = event;
      return { kind: "receipt", eventId, clientReference, providerMessageId, ...toReport(event) };
    }
    case "part-receipt":
      return { kind: "part-receipt", eventId, part: event.part, ...toReport(event) };
    case "call-progress": {
      const { messageId: clientReference, providerMessageId, stage } = event;
      return { kind: "call", eventId, clientReference, providerMessageId, report: { stage } };
    }
    case "call-end": {
      const { messageId: clientReference, providerMessageId, result: outcome, durationSeconds } = event;
      const report = { stage: "ENDED", outcome, durationSeconds } as const;
      return { kind: "call", eventId, clientReference, providerMessageId, report };
    }
    case "complaint":
      return { kind: "opt-out", eventId, clientReference: event.messageId, cause: "COMPLAINT" };
    case "opt-out":
      return { kind: "opt-out", eventId, clientReference: event.messageId, cause: "OPT_OUT" };
    case "reply":
      return { kind: "reply", eventId, clientReference: event.messageId, text: event.text };
    case "inbound": {
      const { from, to, text, answered: isAnswered = false } = event;
      return { kind: "inbound", eventId, from, to, text, isAnswered };
    }
    case "late-outcome": {
      const { messageId: clientReference, attempt, outcome } = event;
      const answer = toOutcome(outcome);
      return answer && { kind: "late-answer", eventId, clientReference, answer, attempt };
    }
  }
}

function toReport({ status, reason, detail }: Schemas["Receipt"] | Schemas["PartReceipt"]): DeliveryReport {
  const isFailure = status === "UNDELIVERED" || status === "EXPIRED";
  const given = status === "EXPIRED" ? "TTL_EXPIRED" : "CARRIER_UNKNOWN";
  return { status, reason: isFailure ? (reason ?? given) : null, ...(detail === undefined ? {} : { detail }) };
}
