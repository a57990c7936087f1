import { CodeInText } from "./code-in-text.tsx";
import type { ContractField } from "./contract-form.ts";

/** A field whose `maxLength` is at least this is edited in a text area. */
const LONG = 1_000;

export interface FieldInputProps {
  readonly id: string;
  readonly field: ContractField;
  readonly value: string;
  /** Values that the field suggests. It accepts other values too. */
  readonly suggested?: readonly string[] | undefined;
  /** Descriptions of the faults that the server found in the value. */
  readonly faults: readonly string[];
  readonly set: (value: string) => void;
}

/** The input for one field of an operation. It accepts any text: the server validates it. */
export function FieldInput({ id, field, value, suggested = [], faults, set }: FieldInputProps) {
  const { path, description, required } = field;
  return (
    <div class="field">
      <label for={id}>
        <code>{path.join(".")}</code> {!required && <span class="quiet">optional</span>}
      </label>
      <Control
        {...{ field, value, set }}
        attributes={{
          id,
          "aria-describedby": `${id}-about`,
          ...(faults.length === 0 ? {} : { "aria-invalid": "true" }),
          ...(suggested.length === 0 ? {} : { list: `${id}-known` }),
        }}
      />
      {suggested.length > 0 && (
        <datalist id={`${id}-known`}>
          {suggested.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
      )}
      <p id={`${id}-about`} class="hint">
        {faults.map((fault) => (
          <span key={fault} class="fault">
            {fault}{" "}
          </span>
        ))}
        <CodeInText text={description} />
        {field.repeatable && " One per line."}
      </p>
    </div>
  );
}

interface ControlProps {
  readonly field: ContractField;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly attributes: Readonly<Record<string, string>>;
}

function Control({ field, value, set, attributes }: ControlProps) {
  const { type, enum: words, repeatable, required, format, maxLength = 0 } = field;
  const choices = words ?? (type === "boolean" ? ["true", "false"] : undefined);
  if (choices !== undefined && !repeatable) {
    return (
      <select {...attributes} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {(!required || value === "") && <option value="" />}
        {choices.map((word) => (
          <option key={word}>{word}</option>
        ))}
      </select>
    );
  }
  const isLong = repeatable || type === "json" || (maxLength >= LONG && format === undefined);
  const common = { ...attributes, value, autocomplete: "off", autocapitalize: "off", spellcheck: false } as const;
  if (isLong) return <textarea {...common} rows={3} onInput={({ currentTarget }) => set(currentTarget.value)} />;
  return (
    <input
      {...common}
      type={field.secret ? "password" : "text"}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
