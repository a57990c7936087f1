// One message: what it is, what happened, why, what follows, and what the reader may do.

import type { Views } from "../../api.ts";
import { isNotFound } from "../../client/problem.ts";
import { counted } from "../../elements/counted.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { formatRecipient, Recipient } from "../../elements/recipient.tsx";
import { State } from "../../elements/state.tsx";
import { Timeline } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import type { Call } from "../copies/call-copies.ts";
import { Copies } from "../copies/copies.tsx";
import { describeType } from "../messages/types.ts";
import { AGAIN } from "../operations/again.ts";
import { ProjectFact } from "../project-fact.tsx";
import { type Outcome, useAnswer } from "../use-answer.ts";
import { describeCost, unitsOf } from "./cost.ts";
import { isDocument, Mail } from "./mail.tsx";
import { describeReason } from "./reasons.ts";
import { ReplyForm } from "./reply-form.tsx";
import { listSteps } from "./steps.tsx";
import { Text } from "./text.tsx";
import { ThisRecipient } from "./this-recipient.tsx";
import { describeCharge, isFinal, nameMessage } from "./words.ts";

type Message = Views["MessageView"];

/** Interval at which an open message is polled until its state is final. */
const POLL_MS = 1_000;
/** A final state may still be corrected by the carrier. */
const FINAL_POLL_MS = 10_000;

export function MessagePage({ messageId }: { readonly messageId: string }) {
  return (
    <section class="page">
      <MessageDetails messageId={messageId} />
    </section>
  );
}

export interface MessageDetailsProps {
  readonly messageId: string;
  /** Whether it is shown beside the list, where a page's heading would be a second one. */
  readonly isBeside?: boolean;
}

export function MessageDetails({ messageId, isBeside = false }: MessageDetailsProps) {
  const { answer, error, again } = useAnswer("getMessage", { path: { messageId } }, { everyMs: pauseAfter });
  return (
    <>
      {/* the same heading while the message is loaded and after that: it has the focus */}
      <Head message={answer} isBeside={isBeside} />
      {error !== undefined && <Failure error={error} {...(isNotFound(error) ? {} : { again })} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer !== undefined && <Details message={answer} />}
    </>
  );
}

function pauseAfter(outcome: Outcome<Message>): number | undefined {
  if ("answer" in outcome) return isFinal(outcome.answer.status) ? FINAL_POLL_MS : POLL_MS;
  return isNotFound(outcome.error) ? undefined : POLL_MS;
}

const messages = { to: allMessages, name: "Messages" } as const;
const contents = { SMS: "Text", EMAIL: "Mail", VOICE: "Spoken text" } as const;

function Head({ message, isBeside }: { readonly message: Message | undefined; readonly isBeside: boolean }) {
  const { callingCode, role } = useSession();
  if (message === undefined) return isBeside ? null : <PageHead title="Message" within={messages} />;
  const { channel, to, status, reason, messageId } = message;
  const title = `${nameMessage(channel)} to ${to === "erased" ? "an erased recipient" : formatRecipient(to, callingCode)}`;
  const state = <State state={status} reason={reason === null ? null : describeReason(reason, channel)} />;
  const again = role === "admin" && channel === "SMS" && to !== "erased" && message.purpose === "SEND";
  const actions = again && (
    <Link
      class="button"
      to={{
        page: "operation",
        operationId: "sendSms",
        values: { [AGAIN]: messageId },
      }}
    >
      Write again
    </Link>
  );
  if (!isBeside)
    return (
      <PageHead title={<bdi>{title}</bdi>} within={messages} beside={<p class="about">{state}</p>} actions={actions} />
    );
  return (
    <header class="page-head">
      <h2>
        <Link to={{ page: "message", messageId }}>
          <bdi>{title}</bdi>
        </Link>
      </h2>
      <p class="about">{state}</p>
      {actions}
    </header>
  );
}

function Details({ message }: { readonly message: Message }) {
  const { to, channel, merchantId, type, attempts, provider, providerMessageId, messageId, purpose, project } = message;
  const { isDevelopment } = useSession();
  const isErased = to === "erased";
  const call = isErased ? undefined : sendOf(message);
  return (
    <div class="columns">
      <div>
        {!isErased && (
          <Card id="text" title={contents[channel]}>
            <Content message={message} />
          </Card>
        )}
        <Card id="history" title="What happened">
          <Timeline steps={listSteps(message)} />
        </Card>
        {isDevelopment && channel === "SMS" && !isErased && (
          <Card id="reply" title="Reply as the recipient">
            <ReplyForm messageId={messageId} />
          </Card>
        )}
        {call !== undefined && <Copies call={call} />}
      </div>
      <div>
        <Card id="details" title="Details">
          <dl class="facts">
            <Fact name="Merchant">
              <MerchantLink merchantId={merchantId} />
            </Fact>
            {!isErased && (
              <Fact name="Recipient">
                <Link to={{ page: "recipient", contact: to }}>
                  <Recipient contact={to} />
                </Link>
              </Fact>
            )}
            <ProjectFact project={project} />
            <Fact name="Type">{purpose === "CONFIRMATION" ? "Confirmation of a reply" : describeType(type)}</Fact>
            <Fact name="Quota">
              {unitsOf(message)}, {describeCharge(message)}
            </Fact>
            <Fact name="Cost">{describeCost(message)}</Fact>
            <Fact name="Attempts">{attempts}</Fact>
            <Fact name="Carrier">{provider ?? "none yet"}</Fact>
            {providerMessageId !== null && (
              <Fact name="Carrier's id">
                <code>{toVisible(providerMessageId)}</code>
              </Fact>
            )}
            <Fact name="Id">
              <code>{messageId}</code>
            </Fact>
          </dl>
        </Card>
        {!isErased && <ThisRecipient message={message} />}
      </div>
    </div>
  );
}

function Content({ message: { channel, content, subject, messageId, units } }: { readonly message: Message }) {
  if (channel === "EMAIL") {
    return (
      <>
        {subject !== null && (
          <p class="foreign" dir="auto">
            <b>{toVisible(subject)}</b>
          </p>
        )}
        {isDocument(content) ? <Mail messageId={messageId} content={content} /> : <Text content={content} />}
      </>
    );
  }
  if (channel === "VOICE") return <Text content={content} />;
  return (
    <>
      <p class="bubble content" dir="auto">
        {toVisible(content)}
      </p>
      <p class="quiet">{counted(units, "segment")}</p>
    </>
  );
}

/**
 * The request that sends the same message again. Undefined for a call, because its batch is not known, and for a
 * confirmation, because no request sends one.
 */
function sendOf({ channel, purpose, merchantId, to, type, subject, content }: Message): Call | undefined {
  if (purpose === "CONFIRMATION") return undefined;
  const common = { merchantId, to, type: type as "OTP" };
  if (channel === "SMS") return { operationId: "sendSms", body: { ...common, message: content } };
  if (channel !== "EMAIL") return undefined;
  return { operationId: "sendEmail", body: { ...common, subject: subject ?? "", body: content } };
}
