/** Types of the generated forms: an operation, and each value that it takes. */

export interface ContractForm {
  /** One line. */
  readonly summary: string;
  /** Code is in backquotes. */
  readonly description: string;
  /** Irreversible effect of sending the operation. */
  readonly cost?: "billable" | "irreversible";
  readonly fields: readonly ContractField[];
  /** Examples of its body, in the order of the contract. */
  readonly examples: readonly { readonly title: string; readonly body: unknown }[];
}

/** One value, or a list of values. */
export interface ContractField {
  /** Name of msgctl's flag, without its dashes. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  /** The name of a parameter, or the path in the body. */
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
