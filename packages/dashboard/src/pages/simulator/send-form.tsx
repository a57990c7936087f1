// Sends a message as a program would, to a test recipient whose outcome is known.

import { useState } from "preact/hooks";
import type { FieldValues } from "../operations/field-values.ts";
import { OperationForm } from "../operations/operation-form.tsx";

/** The kinds of messages, each with the recipient that its form suggests. */
const SENDS = {
  sendSms: { label: "SMS", initial: { to: "+12025550100" } },
  sendEmail: { label: "Email", initial: { to: "delivered@simulator.example" } },
  sendVoice: { label: "Call", initial: { to: "+12025550100" } },
} as const satisfies Readonly<Record<string, { label: string; initial: FieldValues }>>;

type SendId = keyof typeof SENDS;

export function SendForm() {
  const [operationId, setOperation] = useState<SendId>("sendSms");
  return (
    <section class="panel" aria-labelledby="send">
      <h2 id="send">Send</h2>
      <div class="fields">
        {(Object.keys(SENDS) as SendId[]).map((id) => (
          <button key={id} type="button" aria-pressed={id === operationId} onClick={() => setOperation(id)}>
            {SENDS[id].label}
          </button>
        ))}
      </div>
      <OperationForm key={operationId} operationId={operationId} isAllowed initial={SENDS[operationId].initial} />
    </section>
  );
}
