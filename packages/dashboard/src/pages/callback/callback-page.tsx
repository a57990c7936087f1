// One callback: what happened to it, its body, and a form that resends it.

import type { Views } from "../../api.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, Fact, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Timeline } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allCallbacks } from "../../shell/route.ts";
import { isAgent, useSession } from "../../shell/session.ts";
import { useAnswer } from "../use-answer.ts";
import { listSteps } from "./callback-steps.tsx";
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
        within={{ to: allCallbacks, name: "Webhooks" }}
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
  const { webhookId, type, url, merchantId, requestId, messageId, body } = callback;
  return (
    <>
      <p class="headline">
        {toVisible(type)} to <code>{toVisible(url)}</code>
      </p>
      <div class="columns">
        <div>
          <Card id="history" title="What happened">
            <Timeline steps={listSteps(callback)} />
          </Card>
          <Card id="body" title="Body">
            <pre class="content whole">{toVisible(body)}</pre>
          </Card>
        </div>
        <Card id="details" title="Details">
          <dl class="facts">
            {type.startsWith("voice.") && (
              <Fact name="Call">
                {requestId === null ? (
                  "no longer known"
                ) : (
                  <Link to={{ page: "call", requestId: String(requestId) }}>{requestId}</Link>
                )}
              </Fact>
            )}
            {messageId !== null && (
              <Fact name="Message">
                <Link to={{ page: "message", messageId }}>{messageId}</Link>
              </Fact>
            )}
            {merchantId !== null && (
              <Fact name="Merchant">
                <MerchantLink merchantId={merchantId} />
              </Fact>
            )}
            <Fact name="webhook-id">
              <code>{webhookId}</code>
            </Fact>
          </dl>
        </Card>
      </div>
    </>
  );
}
