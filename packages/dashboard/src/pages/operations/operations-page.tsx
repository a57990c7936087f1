// Every operation of the contract, each with a link to try it.

import { operations } from "@msgctl/contract";
import { PageHead } from "../../elements/page.tsx";
import { contractForms } from "../../generated/contract-forms.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useAnswer } from "../use-answer.ts";

const tags = [...new Set(Object.values(operations).map(({ tag }) => tag))];

export function OperationsPage() {
  const { answer, error, again } = useAnswer("listPermissions", {});
  const denied = new Map(
    answer?.filter(({ isAllowed }) => !isAllowed).map(({ operationId, role }) => [operationId, role]),
  );
  return (
    <section class="page operations">
      <PageHead title="Operations" />
      <p>Each operation has a form that sends it to this server as the signed-in user.</p>
      {error !== undefined && <Failure error={error} again={again} />}
      {tags.map((tag) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul class="list">
            {Object.values(operations)
              .filter((operation) => operation.tag === tag)
              .map(({ operationId, method, path }) => (
                <li key={operationId} class="entry">
                  <Link to={{ page: "operation", operationId, values: {} }}>{contractForms[operationId].summary}</Link>{" "}
                  <code class="route">
                    {method} {path}
                  </code>
                  <Marks cost={contractForms[operationId].cost} role={denied.get(operationId)} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

/** Says why an operation cannot be sent directly: it is billable or irreversible, or the user's role may not send it. */
function Marks({ cost, role }: { readonly cost: string | undefined; readonly role: string | undefined }) {
  const marks = [...(cost === undefined ? [] : [cost]), ...(role === undefined ? [] : [`needs the role ${role}`])];
  return marks.length === 0 ? null : <span class="quiet"> {marks.join(", ")}</span>;
}
