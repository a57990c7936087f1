// Offers test recipients. The simulated carrier defines the outcome of a message to each.

import type { Views } from "../../api.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAnswer } from "../use-answer.ts";
import type { ContractField } from "./contract-form.ts";
import type { FieldValues } from "./field-values.ts";

type Recipient = Views["TestRecipient"];

export interface TestRecipientsProps {
  readonly fields: readonly ContractField[];
  readonly values: FieldValues;
  readonly choose: (name: string, value: string) => void;
}

/** Renders nothing for an operation that sends no message. */
export function TestRecipients({ fields, values, choose }: TestRecipientsProps) {
  const field = fields.find(({ path }) => path.length === 1 && (path[0] === "to" || path[0] === "toNumber"));
  if (field === undefined || field.in !== "body") return null;
  return <Choice field={field} value={values[field.name] ?? ""} choose={(to) => choose(field.name, to)} />;
}

interface ChoiceProps {
  readonly field: ContractField;
  readonly value: string;
  readonly choose: (to: string) => void;
}

function Choice({ field, value, choose }: ChoiceProps) {
  const { answer, error, again } = useAnswer("listTestRecipients", {});
  const isMail = field.format === "email";
  return (
    <details>
      <summary>Test recipients, and the outcome of a message to each</summary>
      {error !== undefined && <Failure error={error} again={again} />}
      <ul class="recipients">
        {answer
          ?.filter(({ channel }) => (channel === "EMAIL") === isMail)
          .map((recipient) => (
            <li key={recipient.to}>
              <button type="button" aria-pressed={recipient.to === value} onClick={() => choose(recipient.to)}>
                {recipient.to}
              </button>
              {describe(recipient)}
            </li>
          ))}
      </ul>
    </details>
  );
}

function describe({ status, reason, reply, isSlow }: Recipient): string {
  const end = [status, reason].filter((word) => word !== null).join(" ");
  return `${end}${isSlow ? " after 30 s" : ""}${reply === null ? "" : `, and replies “${reply}”`}`;
}
