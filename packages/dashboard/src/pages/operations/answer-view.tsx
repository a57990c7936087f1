// The reply to an operation: status and code, headers, and the body as received.

import { type OperationId, operations } from "@msgctl/contract";
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { Fact } from "../../elements/page.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { type Answer, codeOf } from "../../exchange/answer.ts";
import { layOut } from "../../exchange/json-text.ts";
import { Link } from "../../shell/navigation.tsx";
import type { Route } from "../../shell/route.ts";

export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** Returns the faults that the server found in the request. */
export function faultsOf({ ok, text }: Answer): readonly Fault[] {
  if (ok) return [];
  const { errors } = readObject(text);
  if (!Array.isArray(errors)) return [];
  return errors.filter((fault) => typeof fault?.pointer === "string" && typeof fault?.detail === "string");
}

export function AnswerView({ operationId, answer }: { readonly operationId: OperationId; readonly answer: Answer }) {
  const { status, headers, text, isWhole, elapsedMs } = answer;
  const code = codeOf(answer);
  const { detail } = answer.ok ? {} : readObject(text);
  const faults = faultsOf(answer);
  const made = answer.ok && operations[operationId].method === "POST" ? routeOf(readObject(text)) : undefined;
  return (
    <section class="answer" aria-label="Answer">
      <p>
        <span class="status-code" data-class={String(status)[0]}>
          {status}
        </span>{" "}
        {code !== undefined && <a href={PROBLEM_PAGES + code}>{code}</a>} {Math.round(elapsedMs)} ms{" "}
        {made !== undefined && (
          <>
            Accepted: <Link to={made.route}>{made.id}</Link>
          </>
        )}
      </p>
      {typeof detail === "string" && <p>{toVisible(detail)}</p>}
      {faults.length > 0 && (
        <ul aria-label="What is wrong">
          {faults.map(({ pointer, detail: what }) => (
            <li key={pointer + what}>
              <code>{toVisible(pointer)}</code> {toVisible(what)}
            </li>
          ))}
        </ul>
      )}
      {text !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this box
        <pre class="content" tabIndex={0}>
          {toVisible(layOut(text))}
        </pre>
      )}
      {!isWhole && <p class="quiet">Only the beginning is shown.</p>}
      <details>
        <summary>{headers.length} headers</summary>
        <dl class="facts">
          {headers.map(([name, value]) => (
            <Fact key={name} name={name}>
              {toVisible(value)}
            </Fact>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** The page of the message or batch that the request created; undefined if it created neither. */
function routeOf({ messageId, batchId }: Readonly<Record<string, unknown>>): { id: string; route: Route } | undefined {
  if (typeof messageId === "string") return { id: messageId, route: { page: "message", messageId } };
  if (typeof batchId !== "string" && typeof batchId !== "number") return undefined;
  const id = String(batchId);
  return { id, route: { page: "batch", batchId: id, status: "" } };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
