// The form of an operation, generated from the contract: its fields, the reply, and the same call from a program.

import { type OperationId, operations } from "@msgctl/contract";
import { useRef, useState } from "preact/hooks";
import { tryOut } from "../../client/client.ts";
import { renewMerchants } from "../../client/merchants.ts";
import { counted } from "../../elements/counted.ts";
import { Skeleton } from "../../elements/page.tsx";
import { type Answer, readAnswer } from "../../exchange/answer.ts";
import { contractForms } from "../../generated/contract-forms.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { Copies } from "../copies/copies.tsx";
import { useAction } from "../use-action.ts";
import { AnswerView, faultsOf } from "./answer-view.tsx";
import type { ContractField } from "./contract-form.ts";
import { FieldInput } from "./field-input.tsx";
import { type FieldValues, faultsAt, toRequest, valuesOf } from "./field-values.ts";
import { TestRecipients } from "./test-recipients.tsx";
import { useSuggestions } from "./use-suggestions.ts";

const IDEMPOTENCY_KEY: ContractField = {
  name: "idempotency-key",
  in: "header",
  path: ["Idempotency-Key"],
  type: "string",
  description: "A repeat with the same key and values has no further effect. If empty, each request gets a new key.",
  maxLength: 255,
};

/** Confirmation that each kind of cost asks for. */
const QUESTIONS = { billable: "Sending this may be charged.", irreversible: "This cannot be undone." };

export interface OperationFormProps {
  readonly operationId: OperationId;
  /** Whether the user may send it, as far as known. */
  readonly isAllowed: boolean;
  /** Values that replace the example's. */
  readonly initial?: FieldValues;
}

export function OperationForm({ operationId, isAllowed, initial = {} }: OperationFormProps) {
  const { fields, examples, cost } = contractForms[operationId];
  const { isDevelopment } = useSession();
  const all = operations[operationId].idempotent ? [...fields, IDEMPOTENCY_KEY] : fields;
  const [example, setExample] = useState(0);
  const [edited, setEdited] = useState<FieldValues>({});
  const [isAsking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const under = useRef<AbortController>();
  const action = useAction();
  const suggestions = useSuggestions(operationId, fields);
  if (suggestions === undefined) return <Skeleton />;
  const unedited = { ...valuesOf(fields, examples[example]?.body), ...suggestions.values, ...initial };
  const values = { ...unedited, ...edited };
  const request = toRequest(all, values);

  const set = (name: string, value: string) => setEdited((known) => ({ ...known, [name]: value }));
  const send = () =>
    action.run(async () => {
      setAsking(false);
      setAnswer(undefined);
      const stop = new AbortController();
      under.current = stop;
      const startedAt = performance.now();
      try {
        const reply = await tryOut(operationId, { ...request, signal: stop.signal });
        if (operationId === "upsertMerchant" && reply.ok) renewMerchants();
        setAnswer(await readAnswer(reply, startedAt));
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      }
    });
  // a development server charges nothing
  const mustAsk = cost === "irreversible" || (cost === "billable" && !isDevelopment);
  const faults = answer === undefined ? [] : faultsOf(answer);
  const isShown = (field: ContractField) => field.required === true || (unedited[field.name] ?? "") !== "";
  const renderField = (field: ContractField) => (
    <FieldInput
      key={field.name}
      id={`${operationId}-${field.name}`}
      field={field}
      value={values[field.name] ?? ""}
      suggested={suggestions.lists[field.name]}
      faults={faultsAt(field, faults).map(({ detail }) => detail)}
      set={(value) => set(field.name, value)}
    />
  );
  const optional = all.filter((field) => !isShown(field));
  return (
    <form
      class="operation"
      aria-label={contractForms[operationId].summary}
      onSubmit={(event) => {
        event.preventDefault();
        if (action.isRunning) return;
        if (mustAsk) setAsking(true);
        else send();
      }}
    >
      {examples.length > 1 && (
        <label class="example">
          Example
          <select
            value={example}
            onChange={({ currentTarget }) => {
              setExample(Number(currentTarget.value));
              setEdited({});
            }}
          >
            {examples.map(({ title }, index) => (
              <option key={title} value={index}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {all.filter(isShown).map(renderField)}
      {isDevelopment && <TestRecipients fields={fields} values={values} choose={set} />}
      {optional.length > 0 && (
        <details>
          <summary>Optional: {counted(optional.length, "field")}</summary>
          {optional.map(renderField)}
        </details>
      )}
      {cost !== undefined && (
        <p class="quiet">
          {isDevelopment && cost === "billable"
            ? "Outside of development, sending this may be charged."
            : QUESTIONS[cost]}
        </p>
      )}
      <div class="fields">
        {isAsking && isAllowed ? (
          <>
            <button type="button" class="grave" onClick={send}>
              Yes, send it
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Do not send
            </button>
          </>
        ) : (
          <button type="submit" disabled={!isAllowed} aria-disabled={action.isRunning}>
            {mustAsk ? "Send …" : "Send"}
          </button>
        )}
        {action.isRunning && (
          <button type="button" onClick={() => under.current?.abort()}>
            Cancel
          </button>
        )}
      </div>
      <div role="status">{answer !== undefined && <AnswerView operationId={operationId} answer={answer} />}</div>
      {action.error !== undefined && <Failure error={action.error} />}
      <Copies call={{ operationId, fields, ...request }} />
    </form>
  );
}
