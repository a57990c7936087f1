// One operation of the contract: its description, the role that it needs, and a form that sends it.

import { type OperationId, operations } from "@msgctl/contract";
import { PageHead, Skeleton } from "../../elements/page.tsx";
import { contractForms } from "../../generated/contract-forms.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAnswer } from "../use-answer.ts";
import { AGAIN } from "./again.ts";
import { CodeInText } from "./code-in-text.tsx";
import type { FieldValues } from "./field-values.ts";
import { OperationForm, type OperationFormProps } from "./operation-form.tsx";

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
  const { [AGAIN]: again, ...given } = values;
  const { answer, error, again: retry } = useAnswer("listPermissions", {});
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
      {error !== undefined && <Failure error={error} again={retry} />}
      {permission !== undefined && !permission.isAllowed && <Denial role={permission.role} />}
      {/* until the permission is known, enable the button, or Enter would do nothing: the server checks the permission */}
      {again === undefined ? (
        <OperationForm operationId={operationId} initial={given} isAllowed={permission?.isAllowed ?? true} />
      ) : (
        <FormAgain messageId={again} operationId={operationId} isAllowed={permission?.isAllowed ?? true} />
      )}
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

interface FormAgainProps extends Omit<OperationFormProps, "initial"> {
  readonly messageId: string;
}

/** The form with the values of a message. */
function FormAgain({ messageId, ...form }: FormAgainProps) {
  const { answer, error, again } = useAnswer("getMessage", { path: { messageId } });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return <Skeleton />;
  const { merchantId, to, type, content, channel } = answer;
  const initial: FieldValues =
    channel === "VOICE"
      ? { "merchant-id": merchantId, "to-number": to, "use-case": type, "message-text": content }
      : { "merchant-id": merchantId, to, type, message: content };
  return <OperationForm {...form} initial={initial} />;
}
