// What programs asked, and what they were answered: the page for whoever wonders why it does not work.

import type { Views } from "../../api.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allRequests } from "../../shell/route.ts";
import { Time } from "../time.tsx";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { Refusals } from "./refusals.tsx";

type Request = Views["RequestView"];

const LOOK_MS = 1_000;

export interface RequestsPageProps {
  readonly failedOnly: boolean;
  /** The only one that is shown, or empty for all. */
  readonly requestId: string;
}

export function RequestsPage({ failedOnly, requestId }: RequestsPageProps) {
  const query = failedOnly ? { outcome: "failed" as const } : {};
  const { answer, error, again } = useAnswer("listRequests", { query }, { everyMs: LOOK_MS });
  const isOne = requestId !== "";
  const shown = isOne ? answer?.filter((request) => request.requestId === requestId) : answer;
  return (
    <section class="page requests">
      <h1>{isOne ? "Request" : "Requests"}</h1>
      <nav class="pages tabs" aria-label="Which requests">
        <Link to={allRequests} isCurrent={!failedOnly && !isOne}>
          All
        </Link>
        <Link to={{ ...allRequests, failedOnly: true }} isCurrent={failedOnly && !isOne}>
          Refused or failed
        </Link>
      </nav>
      {error !== undefined && <Failure error={error} again={again} />}
      {shown?.length === 0 && (isOne ? <Gone requestId={requestId} /> : <p class="nothing">None in the last hour.</p>)}
      {failedOnly && !isOne && answer !== undefined && <Refusals requests={answer} />}
      <ul class="list">
        {shown?.map((request) => (
          <li key={request.requestId}>
            <Row request={request} isOpen={isOne} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Gone({ requestId }: { readonly requestId: string }) {
  return (
    <p class="nothing">
      <code>{toVisible(requestId)}</code> is not kept here, or no more: an instance has the last thousand requests that
      it answered, of an hour at most. Its log may have a line with the id.
    </p>
  );
}

function Row({ request, isOpen }: { readonly request: Request; readonly isOpen: boolean }) {
  const { at, method, path, status, code, operationId, milliseconds } = request;
  return (
    <details class="request" open={isOpen}>
      <summary>
        <Time at={at} />
        <span class="code" data-class={String(status)[0]}>
          {status}
        </span>
        <span class="operation">{operationId ?? `${method} ${path}`}</span>
        <span class="problem">{code}</span>
        <span class="took">{milliseconds} ms</span>
      </summary>
      <Details request={request} />
    </details>
  );
}

function Details({ request }: { readonly request: Request }) {
  const { method, path, requestId, detail, code, faults, merchantId, project } = request;
  return (
    <dl class="facts">
      <dt>Request</dt>
      <dd>
        <code>
          {method} {path}
        </code>
      </dd>
      {detail !== null && (
        <>
          <dt>Why</dt>
          <dd>{toVisible(detail)}</dd>
        </>
      )}
      {faults.map((fault) => (
        <div key={fault.pointer + fault.code}>
          <dt>
            <code>{fault.pointer}</code>
          </dt>
          <dd>{toVisible(fault.detail)}</dd>
        </div>
      ))}
      {merchantId !== null && (
        <>
          <dt>Credential of</dt>
          <dd>{merchantId}</dd>
        </>
      )}
      {project !== null && (
        <>
          <dt>Project</dt>
          <dd>
            <Link to={{ page: "messages", query: `project:${project}` }}>{project}</Link>
          </dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code>{requestId}</code>
      </dd>
      {code !== null && (
        <>
          <dt>What to do</dt>
          <dd>
            <a href={`/docs/errors/${code}`}>{code}</a>
          </dd>
        </>
      )}
    </dl>
  );
}
