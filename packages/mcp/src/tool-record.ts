// The shape of the generated data from which tools are made: one record for each operation of the contract.

import type { Identity } from "@msgctl/sdk";

export interface ToolRecord {
  /** Group and name of the operation: `send_sms`. */
  readonly name: string;
  readonly group: string;
  /** The name of msgctl's command within its group: `direct-sms`. */
  readonly command: string;
  /** One line. */
  readonly title: string;
  readonly description: string;
  readonly method: string;
  /** Path with `{placeholders}`. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  /** Whether the operation takes an Idempotency-Key. */
  readonly idempotent: boolean;
  /** Absent if the operation costs nothing and can be undone. */
  readonly cost?: "billable" | "irreversible";
  /** Members that a successful reply must have; null if it has none. */
  readonly identity: Identity | null;
  readonly input: ObjectSchema;
  /** Fields of the body that have a person's number or address, or a list of them. */
  readonly recipients: readonly string[];
  readonly reply: ReplyRecord;
}

export type ReplyRecord = { readonly kind: "text" } | { readonly kind: "none" } | ViewRecord;

/** A reply that is a view, or a list of views. The paths are dotted, and lead into the elements of lists. */
export interface ViewRecord {
  readonly kind: "object" | "list";
  /** The fields that a list shows, unless others are asked for. */
  readonly columns: readonly string[];
  /** The schemas of the fields, without those of `secrets`. */
  readonly properties: Readonly<Record<string, object>>;
  readonly secrets: readonly string[];
  /** Fields with a person's number or address. */
  readonly contacts: readonly string[];
  /** Fields with sentences of recipients, merchants or providers. */
  readonly texts: readonly string[];
}

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}
