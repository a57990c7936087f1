// Bodies posted to a callback URL, by the event's name. Types only: nothing of this file exists at run time.
import type { webhooks as MessageWebhooks } from "./generated/event-types.ts";
import type { webhooks as CallWebhooks } from "./generated/types.ts";

/** The events of calls, which the contract describes, and those of messages, which events.openapi.yaml describes. */
type Webhooks = CallWebhooks & MessageWebhooks;

/** Name of an event: a key of the webhooks, and the `type` of its body. */
export type EventType = keyof Webhooks;

/** The JSON body posted for an event: `{ type, timestamp, data }`. */
export type EventOf<K extends EventType> = Webhooks[K]["post"] extends {
  requestBody: { content: { "application/json": infer Event } };
}
  ? Event
  : never;
