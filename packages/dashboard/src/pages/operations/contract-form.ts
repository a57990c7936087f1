/** A generated form: the description of an operation and its fields. */

export interface ContractForm {
  /** One line of text. */
  readonly summary: string;
  /** Code is in backquotes. */
  readonly description: string;
  /** Why the form asks for confirmation: sending costs money, or cannot be undone. */
  readonly cost?: "billable" | "irreversible";
  readonly fields: readonly ContractField[];
  /** Examples of the request body, in the order of the contract. */
  readonly examples: readonly { readonly title: string; readonly body: unknown }[];
}

/** A field of the form: one value, or a list of values. */
export interface ContractField {
  /** Name of msgctl's flag, without its dashes. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  /** The name of a parameter, or the nested property names of a value in the body. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "number" | "boolean" | "integer-or-string" | "json";
  /** Code is in backquotes. */
  readonly description: string;
  readonly required?: true;
  /** Whether msgctl takes the value as an argument and not as a flag. */
  readonly positional?: true;
  /** Whether the field is a list of values of `type`. */
  readonly repeatable?: true;
  readonly secret?: true;
  readonly enum?: readonly string[];
  readonly format?: string;
  /** In characters. */
  readonly maxLength?: number;
  readonly example?: string;
}
