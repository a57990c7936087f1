/** The shape of the generated forms: what an operation is, and each value that it takes. Types only. */

export interface ContractForm {
  /** One line. */
  readonly summary: string;
  /** Code is in backquotes. */
  readonly description: string;
  /** What sending it can do that is not undone. */
  readonly cost?: "billable" | "irreversible";
  readonly fields: readonly ContractField[];
  /** Of its body, the first one first. */
  readonly examples: readonly { readonly title: string; readonly body: unknown }[];
}

/** One value, or a list of values. */
export interface ContractField {
  /** Of the flag of msgctl, without its dashes. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  /** The name of a parameter, or where in the body it is. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "number" | "boolean" | "integer-or-string" | "json";
  /** Code is in backquotes. */
  readonly description: string;
  readonly required?: true;
  /** Whether msgctl takes it without a flag. */
  readonly positional?: true;
  /** Whether it is a list of such values. */
  readonly repeatable?: true;
  readonly secret?: true;
  readonly enum?: readonly string[];
  readonly format?: string;
  /** In characters. */
  readonly maxLength?: number;
  readonly example?: string;
}
