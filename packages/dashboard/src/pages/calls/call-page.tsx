// One call: what it is, what happened, why, what follows, what it costs, and what the reader may do.

import type { Views } from "../../api.ts";
import { isNotFound } from "../../client/problem.ts";
import { toDollars } from "../../elements/dollars.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { formatRecipient, Recipient } from "../../elements/recipient.tsx";
import { State, toWords } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { Timeline } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allCalls } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { Text } from "../message/text.tsx";
import { ThisRecipient } from "../message/this-recipient.tsx";
import { AGAIN } from "../operations/again.ts";
import { type Outcome as Result, useAnswer } from "../use-answer.ts";
import { type CallDetails, listSteps } from "./call-steps.tsx";
import { idInPath } from "./id-in-path.ts";
import { Outcome } from "./outcome.tsx";

type Call = CallDetails["call"];

const POLL_MS = 1_000;
/** Callbacks may be retried for days after the call has ended. */
const CALLBACKS_POLL_MS = 10_000;

function pauseAfter(result: Result<CallDetails>): number | undefined {
  if ("error" in result) return isNotFound(result.error) ? undefined : POLL_MS;
  const { call, callbacks } = result.answer;
  if (call.completedAt === null || call.billingState !== "FINALIZED") return POLL_MS;
  return callbacks.some(({ status }) => status === "PENDING") ? CALLBACKS_POLL_MS : undefined;
}

export function CallPage({ requestId }: { readonly requestId: string }) {
  const path = { requestId: idInPath(requestId) };
  const { answer, error, again } = useAnswer("getCall", { path }, { everyMs: pauseAfter });
  return (
    <section class="page">
      <Head requestId={requestId} details={answer} />
      {error !== undefined && <Failure error={error} {...(isNotFound(error) ? {} : { again })} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer !== undefined && <Details details={answer} />}
    </section>
  );
}

interface HeadProps {
  readonly requestId: string;
  readonly details: CallDetails | undefined;
}

function Head({ requestId, details }: HeadProps) {
  const { callingCode, role } = useSession();
  const within = { to: allCalls, name: "Calls" };
  if (details === undefined) return <PageHead title={`Call ${toVisible(requestId)}`} within={within} />;
  const { call, message } = details;
  const isErased = message.to === "erased";
  const to = isErased ? "an erased recipient" : formatRecipient(call.toNumber, callingCode);
  return (
    <PageHead
      title={<bdi>Call to {to}</bdi>}
      within={within}
      beside={
        <p class="about">
          <Outcome finalStatus={call.finalStatus} reason={call.deliveryReason ?? call.policyReason} />
        </p>
      }
      actions={
        role === "admin" &&
        !isErased && (
          <Link
            class="button"
            to={{ page: "operation", operationId: "createTtsCalls", values: { [AGAIN]: message.messageId } }}
          >
            Call again
          </Link>
        )
      }
    />
  );
}

function Details({ details }: { readonly details: CallDetails }) {
  const { call, message, callbackUrl, callbacks } = details;
  const isErased = message.to === "erased";
  return (
    <div class="columns">
      <div>
        {!isErased && (
          <Card id="text" title="Spoken text">
            <Text content={message.content} />
          </Card>
        )}
        <Card id="history" title="What happened">
          <Timeline steps={listSteps(details)} />
        </Card>
        <Cost call={call} />
        {callbackUrl !== null && <Callbacks url={callbackUrl} callbacks={callbacks} />}
      </div>
      <div>
        <Facts call={call} message={message} isErased={isErased} />
        {!isErased && <ThisRecipient message={message} />}
      </div>
    </div>
  );
}

interface FactsProps extends Pick<CallDetails, "call" | "message"> {
  readonly isErased: boolean;
}

function Facts({ call, message: { messageId }, isErased }: FactsProps) {
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        <Fact name="Merchant">
          <MerchantLink merchantId={call.merchantId} />
        </Fact>
        {!isErased && (
          <Fact name="Recipient">
            <Link to={{ page: "recipient", contact: call.toNumber }}>
              <Recipient contact={call.toNumber} />
            </Link>
          </Fact>
        )}
        <Fact name="Batch">
          <Link to={{ page: "batch", batchId: call.batchId, status: "" }}>{call.batchId}</Link>
        </Fact>
        <Fact name="Message">
          <Link to={{ page: "message", messageId }}>{messageId}</Link>
        </Fact>
        <Fact name="State">{toWords(call.status)}</Fact>
        <Fact name="Telephone">{toWords(call.callStatus)}</Fact>
        <Fact name="Playback">{toWords(call.playbackStatus)}</Fact>
        <Fact name="Attempts">{call.attemptCount}</Fact>
        {call.scheduledAt !== null && (
          <Fact name="Scheduled for">
            <Time at={call.scheduledAt} isWhole />
            {call.executionTimezone !== null && `, in the time zone ${toVisible(call.executionTimezone)}`}
          </Fact>
        )}
        <Fact name="Use case">{toVisible(call.useCase)}</Fact>
        <Label name="Campaign" value={call.campaignName ?? call.campaignId} />
        <Label name="Source system" value={call.sourceSystem} />
        <Label name="Account" value={call.platformAccountId} />
        <Fact name="Sub-tenant">{toVisible(call.tenantId)}</Fact>
        <Fact name="Voice">
          {toVisible(call.voiceProfile)}, {toVisible(call.language)}
        </Fact>
        <Label name="Carrier's id" value={call.providerCallId} />
        <Fact name="Id">
          <code>{call.requestId}</code>
        </Fact>
      </dl>
    </Card>
  );
}

/** A label from the request. Renders nothing if the request had none. */
function Label({ name, value }: { readonly name: string; readonly value: string | null }) {
  return value === null ? null : <Fact name={name}>{toVisible(value)}</Fact>;
}

const items = [
  ["Speech", "TTS", "estimatedTtsCost"],
  ["Minutes", "CALL", "estimatedCallCost"],
] as const;

/** The cost of a call, estimated and charged, and what it is made of. */
function Cost({ call }: { readonly call: Call }) {
  const charged = call.usage.reduce((sum, { finalCost }) => sum + finalCost, 0);
  const isFinal = call.billingState === "FINALIZED";
  return (
    <Card id="cost" title="Cost">
      <table class="table" aria-labelledby="cost">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" class="amount">
              Estimated
            </th>
            <th scope="col" class="amount aside">
              Quantity
            </th>
            <th scope="col" class="amount aside">
              Price
            </th>
            <th scope="col" class="amount aside">
              Markup
            </th>
            <th scope="col" class="amount">
              Charged
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(([name, type, estimate]) => (
            <Item
              key={type}
              name={name}
              estimated={call[estimate]}
              usage={call.usage.find((usage) => usage.usageType === type)}
              isFinal={isFinal}
            />
          ))}
          <tr>
            <th scope="row">Total</th>
            <td class="amount">{toDollars(call.estimatedTtsCost + call.estimatedCallCost)}</td>
            <td class="aside" />
            <td class="aside" />
            <td class="aside" />
            <td class="amount">{isFinal ? toDollars(charged) : `≈ ${toDollars(call.projectedTotalCost)}`}</td>
          </tr>
        </tbody>
      </table>
      {!isFinal && <p class="quiet">The total is an estimate until the call has ended and is priced.</p>}
    </Card>
  );
}

interface ItemProps {
  readonly name: string;
  readonly estimated: number;
  readonly usage: Call["usage"][number] | undefined;
  readonly isFinal: boolean;
}

function Item({ name, estimated, usage, isFinal }: ItemProps) {
  return (
    <tr>
      <td class="named">{name}</td>
      <td class="amount">{toDollars(estimated)}</td>
      <td class="amount aside">
        {usage !== undefined &&
          `${usage.quantity.toLocaleString()} ${toWords(usage.unit).toLowerCase()}${usage.quantity === 1 ? "" : "s"}`}
      </td>
      <td class="amount aside">{usage !== undefined && toDollars(usage.baseCost)}</td>
      <td class="amount aside">{usage !== undefined && toDollars(usage.markupCost)}</td>
      <td class="amount">
        {usage === undefined ? (isFinal ? toDollars(0) : "not known yet") : toDollars(usage.finalCost)}
      </td>
    </tr>
  );
}

interface CallbacksProps {
  readonly url: string;
  readonly callbacks: readonly Views["CallbackRow"][];
}

function Callbacks({ url, callbacks }: CallbacksProps) {
  return (
    <Card id="callbacks" title="Callbacks">
      <p class="foreign">
        To <code>{toVisible(url)}</code>
      </p>
      {callbacks.length === 0 && (
        <p class="quiet">None are kept: there is none yet, or they were finished 7 days ago.</p>
      )}
      <ul class="list">
        {callbacks.map(({ webhookId, type, status, at }) => (
          <li key={webhookId} class="entry">
            <State state={status} /> <Link to={{ page: "callback", webhookId }}>{toVisible(type)}</Link>{" "}
            <span class="quiet">
              <Time at={at} isWhole />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
