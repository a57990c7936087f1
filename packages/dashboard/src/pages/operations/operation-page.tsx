// One operation of the contract: its description, the role that it needs, and a form that sends it.

import { type OperationId, operations } from "@msgctl/contract";
import { PageHead } from "../../elements/page.tsx";
import { contractForms } from "../../generated/contract-forms.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAnswer } from "../use-answer.ts";
import { CodeInText } from "./code-in-text.tsx";
import type { FieldValues } from "./field-values.ts";
import { OperationForm } from "./operation-form.tsx";

export interface OperationPageProps {
  readonly operationId: string;
  /** Initial values of the form. */
  readonly values: FieldValues;
}

export function OperationPage({ operationId, values }: OperationPageProps) {
  return (
    <section class="page operation-page">
      {isOperation(operationId) ? (
        <Operation operationId={operationId} values={values} />
      ) : (
        <>
          <PageHead title="Nothing here" />
          <p>The contract has no such operation.</p>
        </>
      )}
    </section>
  );
}

function isOperation(operationId: string): operationId is OperationId {
  return Object.hasOwn(operations, operationId);
}

function Operation({ operationId, values }: { readonly operationId: OperationId; readonly values: FieldValues }) {
  const { summary, description } = contractForms[operationId];
  const { method, path, group, name } = operations[operationId];
  const { answer, error, again } = useAnswer("listPermissions", {});
  const permission = answer?.find((known) => known.operationId === operationId);
  return (
    <>
      <PageHead title={summary} within={{ to: { page: "operations" }, name: "Operations" }} />
      <p>
        <code class="route">
          {method} {path}
        </code>{" "}
        <a href={`/docs/${group}/${name}`}>Documentation</a>
      </p>
      {description.split("\n\n").map((paragraph) => (
        <p key={paragraph}>
          <CodeInText text={paragraph} />
        </p>
      ))}
      {error !== undefined && <Failure error={error} again={again} />}
      {permission !== undefined && !permission.isAllowed && <Denial role={permission.role} />}
      {/* until the permission is known, enable the button, or Enter would do nothing: the server checks the permission */}
      <OperationForm operationId={operationId} initial={values} isAllowed={permission?.isAllowed ?? true} />
    </>
  );
}

function Denial({ role }: { readonly role: string }) {
  const session = useSession();
  return (
    <p class="denial">
      This needs the role {role}, and you have the role {session.role}: you can view the form, but not send it.
    </p>
  );
}
