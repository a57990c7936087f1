// What programs asked, and what they were answered: the page for whoever wonders why it does not work.

import type { Views } from "../../api.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { Time } from "../time.tsx";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { Refusals } from "./refusals.tsx";

type Request = Views["RequestView"];

const LOOK_MS = 1_000;

export function RequestsPage({ failedOnly }: { readonly failedOnly: boolean }) {
  const query = failedOnly ? { outcome: "failed" as const } : {};
  const { answer, error, again } = useAnswer("listRequests", { query }, { everyMs: LOOK_MS });
  return (
    <section class="page requests">
      <h1>Requests</h1>
      <nav class="pages tabs" aria-label="Which requests">
        <Link to={{ page: "requests", failedOnly: false }} isCurrent={!failedOnly}>
          All
        </Link>
        <Link to={{ page: "requests", failedOnly: true }} isCurrent={failedOnly}>
          Refused or failed
        </Link>
      </nav>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p class="nothing">None in the last hour.</p>}
      {failedOnly && answer !== undefined && <Refusals requests={answer} />}
      <ul class="list">
        {answer?.map((request) => (
          <li key={request.requestId}>
            <Row request={request} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ request }: { readonly request: Request }) {
  const { at, method, path, status, code, operationId, milliseconds } = request;
  return (
    <details class="request">
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
  const { method, path, requestId, detail, code, faults, merchantId } = request;
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
