// One callback: its body, the receiver's answers, and a form that resends it.

import type { Views } from "../../api.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { isAgent, useSession } from "../../shell/session.ts";
import { describeAttempts } from "../callbacks/describe-attempts.ts";
import { useAnswer } from "../use-answer.ts";
import { ResendForm } from "./resend-form.tsx";

type Callback = Views["CallbackView"];

/** Milliseconds between polls of the callback. */
const LOOK_MS = 2_000;

export function CallbackPage({ webhookId }: { readonly webhookId: string }) {
  const { answer, error, again } = useAnswer("getCallback", { path: { webhookId } }, { everyMs: LOOK_MS });
  const session = useSession();
  return (
    <section class="page">
      <PageHead
        title="Callback"
        within={{ to: { page: "callbacks", status: "", before: "" }, name: "Webhooks" }}
        beside={answer !== undefined && <State state={answer.status} />}
      />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <>
          <Details callback={answer} />
          {isAgent(session) && <ResendForm callback={answer} sent={again} />}
        </>
      )}
    </section>
  );
}

function Details({ callback }: { readonly callback: Callback }) {
  const { webhookId, type, url, at, updatedAt, merchantId, body } = callback;
  return (
    <>
      <p class="headline">
        {toVisible(type)} to <code>{toVisible(url)}</code>
      </p>
      <Card id="body" title="Body">
        <pre class="content whole">{toVisible(body)}</pre>
      </Card>
      <Card id="details" title="Details">
        <dl class="facts">
          <dt>Event time</dt>
          <dd>
            <Time at={at} isWhole />
          </dd>
          <dt>Changed</dt>
          <dd>
            <Time at={updatedAt} isWhole />
          </dd>
          <dt>Attempts</dt>
          <dd>{toVisible(describeAttempts(callback))}</dd>
          <NextAttempt callback={callback} />
          <dt>Call</dt>
          <dd>
            <CallLink callback={callback} />
          </dd>
          {merchantId !== null && (
            <>
              <dt>Merchant</dt>
              <dd>
                <MerchantLink merchantId={merchantId} />
              </dd>
            </>
          )}
          <dt>webhook-id</dt>
          <dd>
            <code>{webhookId}</code>
          </dd>
        </dl>
      </Card>
    </>
  );
}

function NextAttempt({ callback: { nextAttemptAt, restsUntil } }: { readonly callback: Callback }) {
  if (nextAttemptAt === null) return null;
  return (
    <>
      <dt>Next attempt</dt>
      <dd>
        <Time at={nextAttemptAt} isWhole />
        {restsUntil !== null && (
          <>
            , but the receiver does not respond, so nothing is posted to it until <Time at={restsUntil} isWhole />
          </>
        )}
      </dd>
    </>
  );
}

function CallLink({ callback: { requestId, messageId } }: { readonly callback: Callback }) {
  if (requestId === null || messageId === null) return <>no longer known</>;
  return <Link to={{ page: "message", messageId }}>{requestId}</Link>;
}
