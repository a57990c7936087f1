// Forms that plan failures of the simulated carrier and of operations.

import { type OperationId, operations } from "@msgctl/contract";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { callOffFaults, listFaults, type PlannedFault, planFault } from "../../client/control.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";
import { useLoaded } from "../use-answer.ts";

const LOOK_MS = 1_000;

/** Descriptions of the carrier's faults. */
const CARRIER_FAULTS: Readonly<Record<string, string>> = {
  timeout: "neither accepts the message nor answers",
  lost_answer: "accepts the message, but does not answer",
  server_error: "fails with a 5xx",
  rate_limit: "answers 429: too many requests",
  lost_receipts: "accepts the message, but never reports the outcome",
  late_receipts: "reports the outcome a minute late",
  duplicate_receipts: "reports the outcome twice",
};

export function FaultForms() {
  const planned = useLoaded("faults", listFaults, { everyMs: LOOK_MS });
  const callingOff = useAction();
  const change = async (work: () => Promise<unknown>) => {
    await work();
    planned.again();
  };
  const plan = (fault: object) => change(() => planFault(fault));
  return (
    <section class="panel" aria-labelledby="faults">
      <h2 id="faults">Failures</h2>
      <CarrierForm plan={plan} />
      <OperationForm plan={plan} />
      {callingOff.error !== undefined && <Failure error={callingOff.error} />}
      {planned.error !== undefined && <Failure error={planned.error} again={planned.again} />}
      {planned.answer?.length === 0 && <p class="nothing">No failures are planned.</p>}
      {planned.answer !== undefined && planned.answer.length > 0 && (
        <>
          <ul aria-label="Planned failures">
            {planned.answer.map((fault) => (
              <li key={JSON.stringify(fault)}>{describe(fault)}</li>
            ))}
          </ul>
          <button type="button" onClick={() => callingOff.run(() => change(callOffFaults))}>
            Cancel all
          </button>
        </>
      )}
    </section>
  );
}

interface Plan {
  readonly plan: (fault: object) => Promise<void>;
}

function CarrierForm({ plan }: Plan) {
  const [provider, setProvider] = useState("timeout");
  return (
    <PlanForm plan={plan} fault={{ provider }}>
      <label>
        The carrier
        <select value={provider} onChange={({ currentTarget }) => setProvider(currentTarget.value)}>
          {Object.entries(CARRIER_FAULTS).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </PlanForm>
  );
}

function OperationForm({ plan }: Plan) {
  const [operation, setOperation] = useState<OperationId>("sendSms");
  const codes: readonly string[] = Object.values(operations[operation].errors).flat();
  const [chosen, setCode] = useState("rate_limited");
  const code = codes.includes(chosen) ? chosen : codes[0];
  return (
    <PlanForm plan={plan} fault={{ operation, code }}>
      <label>
        Operation
        <select value={operation} onChange={({ currentTarget }) => setOperation(currentTarget.value as OperationId)}>
          {Object.keys(operations).map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        answers
        <select value={code} onChange={({ currentTarget }) => setCode(currentTarget.value)}>
          {codes.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </select>
      </label>
    </PlanForm>
  );
}

interface PlanFormProps extends Plan {
  readonly fault: object;
  /** The fields that select the failure. */
  readonly children: ComponentChildren;
}

function PlanForm({ plan, fault, children }: PlanFormProps) {
  const [times, setTimes] = useState(1);
  const action = useAction();
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(() => plan({ ...fault, times }));
      }}
    >
      {children}
      <label>
        times
        <input
          type="number"
          min={1}
          max={1_000_000}
          value={times}
          onInput={({ currentTarget }) => setTimes(currentTarget.valueAsNumber)}
        />
      </label>
      <button type="submit" aria-disabled={action.isRunning}>
        Plan
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </form>
  );
}

function describe(fault: PlannedFault): string {
  const times = fault.left === 1 ? "once" : `${fault.left} times`;
  if ("provider" in fault) return `The carrier ${CARRIER_FAULTS[fault.provider] ?? fault.provider}, ${times}.`;
  const { operation, code, latencyMs } = fault;
  return `${operation} answers ${code ?? "as usual"}${latencyMs > 0 ? ` after ${latencyMs} ms` : ""}, ${times}.`;
}
