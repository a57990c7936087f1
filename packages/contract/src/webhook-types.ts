// Bodies posted to a callback URL, by the event's name. Types only: nothing of this file exists at run time.
import type { webhooks } from "./generated/types.ts";

/** Name of an event: a key of the contract's webhooks, and the `type` of its body. */
export type EventType = keyof webhooks;

/** The JSON body posted for an event: `{ type, timestamp, data }`. */
export type EventOf<K extends EventType> = webhooks[K]["post"] extends {
  requestBody: { content: { "application/json": infer Event } };
}
  ? Event
  : never;
