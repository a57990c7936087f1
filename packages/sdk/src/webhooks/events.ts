import type { EventOf, EventType } from "@msgctl/contract";

export type { EventType } from "@msgctl/contract";

/** Identifier of the event, the same at every attempt (`webhook-id`): handle each once. */
interface Identified {
  readonly id: string;
}

declare const undocumented: unique symbol;

/**
 * A string that is none of the documented types. It is a template literal type: a plain branded string would be comparable
 * with every literal, so the data of an event would stay `unknown` in every `case`.
 */
type UndocumentedType = `${string & { readonly [undocumented]: true }}`;

/** An event that a newer service has added. */
export interface UnknownEvent extends Identified {
  readonly type: UndocumentedType;
  /** Time of the event, in ISO 8601. */
  readonly timestamp: string;
  readonly data: unknown;
}

type KnownEvent<K extends EventType = EventType> = K extends EventType ? Identified & EventOf<K> : never;

/** An SMS or email changed: its state after the change, with a `sequence` that orders its events. */
export type MessageUpdatedEvent = EventOf<"message.updated">;

/** A phone sent a text: a keyword such as STOP, or free text. */
export type MessageReceivedEvent = EventOf<"message.received">;

/** The operator tests the tenant's URL for events. */
export type CallbacksTestEvent = EventOf<"callbacks.test">;

/** A verified callback; `type` determines `data`. */
export type WebhookEvent = KnownEvent | UnknownEvent;

/** The data of an event with this type. For a documented type, it is the contract's view. */
export type DataOf<T extends string> = T extends EventType
  ? EventOf<T> extends { data: infer Data }
    ? Data
    : never
  : unknown;
