// One call: its outcome with the reason, its times, and its cost. Polled until it has ended and is priced.

import type { ResponseOf } from "@msgctl/contract";
import { toDollars } from "../../elements/dollars.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, Fact, PageHead } from "../../elements/page.tsx";
import { Recipient } from "../../elements/recipient.tsx";
import { toWords } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allCalls } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { useCallUntil } from "../use-answer.ts";
import { idInPath } from "./id-in-path.ts";
import { MessageLink } from "./message-link.tsx";
import { Outcome } from "./outcome.tsx";
import { describeReason, describeSpeech } from "./reasons.ts";

type Call = ResponseOf<"getTtsCall">;

const LOOK_MS = 1_000;

const isOver = ({ completedAt, billingState }: Call) => completedAt !== null && billingState === "FINALIZED";

/** Whether the number is still stored. It is removed when its recipient is erased. */
const isKnown = ({ toNumber }: Call) => toNumber.startsWith("+");

export function CallPage({ requestId }: { readonly requestId: string }) {
  const path = { requestId: idInPath(requestId) };
  const { answer, error, again } = useCallUntil("getTtsCall", { path }, isOver, LOOK_MS);
  return (
    <section class="page">
      <PageHead
        title={`Call ${toVisible(requestId)}`}
        within={{ to: allCalls, name: "Calls" }}
        beside={
          answer !== undefined && (
            <span>
              <Outcome finalStatus={answer.finalStatus} reason={answer.deliveryReason} />
            </span>
          )
        }
      />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <>
          <p class="headline">
            {isKnown(answer) ? (
              <Link to={{ page: "recipient", contact: answer.toNumber }}>
                <Recipient contact={answer.toNumber} />
              </Link>
            ) : (
              toVisible(answer.toNumber)
            )}
          </p>
          <States call={answer} />
          <Usage usage={answer.usage} />
        </>
      )}
    </section>
  );
}

function States({ call }: { readonly call: Call }) {
  const { canSearch } = useSession();
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        <Fact name="State">{toWords(call.status)}</Fact>
        <Fact name="Telephone">{toWords(call.callStatus)}</Fact>
        <Fact name="Playback">{toWords(call.playbackStatus)}</Fact>
        {call.policyReason !== null && <Fact name="Rule">{describeReason(call.policyReason)}</Fact>}
        {call.error !== null && <Fact name="Error">{toVisible(call.error)}</Fact>}
        <Fact name="Batch">
          <Link to={{ page: "batch", batchId: call.batchId, status: "" }}>{call.batchId}</Link>
        </Fact>
        {canSearch && isKnown(call) && (
          <Fact name="Message">
            <MessageLink {...call} />
          </Fact>
        )}
        <Fact name="Accepted">
          <Time at={call.createdAt} isWhole />
        </Fact>
        {call.scheduledAt !== null && (
          <Fact name="Scheduled for">
            <Time at={call.scheduledAt} isWhole />
            {call.executionTimezone !== null && `, in the time zone ${toVisible(call.executionTimezone)}`}
          </Fact>
        )}
        <Fact name="Started">{call.executedAt === null ? "not yet" : <Time at={call.executedAt} isWhole />}</Fact>
        <Fact name="Ended">{call.completedAt === null ? "not yet" : <Time at={call.completedAt} isWhole />}</Fact>
        {call.callDurationSeconds !== null && <Fact name="Duration">{call.callDurationSeconds} seconds</Fact>}
        <Fact name="Attempts">{call.attemptCount}</Fact>
        <Fact name="Estimated">{describeCosts(call.estimatedTtsCost, call.estimatedCallCost)}</Fact>
        <Fact name={call.billingState === "FINALIZED" ? "Final" : "So far"}>
          {describeCosts(call.actualTtsCost, call.actualCallCost)}
        </Fact>
        <Fact name="Merchant">
          <MerchantLink merchantId={call.merchantId} />
        </Fact>
        <Fact name="Use case">{toVisible(call.useCase)}</Fact>
        <Label name="Campaign" value={call.campaignName ?? call.campaignId} />
        <Label name="Source system" value={call.sourceSystem} />
        <Label name="Account" value={call.platformAccountId} />
        <Fact name="Sub-tenant">{toVisible(call.tenantId)}</Fact>
        <Fact name="Voice">
          {toVisible(call.voiceProfile)}, {toVisible(call.language)}; speech: {describeSpeech(call.ttsCacheStatus)}
        </Fact>
        <Fact name="Carrier's id">{call.providerCallId === null ? "none yet" : toVisible(call.providerCallId)}</Fact>
      </dl>
    </Card>
  );
}

/** A label from the request. Renders nothing if the request had none. */
function Label({ name, value }: { readonly name: string; readonly value: string | null }) {
  return value === null ? null : <Fact name={name}>{toVisible(value)}</Fact>;
}

function describeCosts(speechCost: number | null, callCost: number | null): string {
  const describe = (cost: number | null) => (cost === null ? "not known yet" : toDollars(cost));
  return `speech ${describe(speechCost)}, minutes ${describe(callCost)}`;
}

function Usage({ usage }: Pick<Call, "usage">) {
  if (usage.length === 0) return null;
  return (
    <table class="table">
      <caption>Usage</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="amount">
            Quantity
          </th>
          <th scope="col" class="amount">
            Price
          </th>
          <th scope="col" class="amount">
            Markup
          </th>
          <th scope="col" class="amount">
            Charged
          </th>
        </tr>
      </thead>
      <tbody>
        {usage.map(({ usageType, unit, quantity, baseCost, markupCost, finalCost }) => (
          <tr key={usageType}>
            <td class="named">{usageType === "TTS" ? "speech" : toWords(usageType)}</td>
            <td class="amount">
              {quantity.toLocaleString()} {toWords(unit)}
              {quantity !== 1 && "s"}
            </td>
            <td class="amount">{toDollars(baseCost)}</td>
            <td class="amount">{toDollars(markupCost)}</td>
            <td class="amount">{toDollars(finalCost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
