// One message: its content, its outcome, and its cost.

import type { Views } from "../../api.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useSession } from "../../shell/session.ts";
import type { Call } from "../copies/call-copies.ts";
import { Copies } from "../copies/copies.tsx";
import { ProjectFact } from "../project-fact.tsx";
import { Status } from "../status.tsx";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { describeCost, unitsOf } from "./cost.ts";
import { isDocument, Mail } from "./mail.tsx";
import { ReplyForm } from "./reply-form.tsx";
import { Timeline } from "./timeline.tsx";
import { describeCharge } from "./words.ts";

type Message = Views["MessageView"];

/** Milliseconds between polls of the message. */
const LOOK_MS = 1_000;

export function MessagePage({ messageId }: { readonly messageId: string }) {
  const { answer, error, again } = useAnswer("getMessage", { path: { messageId } }, { everyMs: LOOK_MS });
  return (
    <section class="page message">
      <h1>Message</h1>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && <Details message={answer} />}
    </section>
  );
}

function Details({ message }: { readonly message: Message }) {
  const { to, subject, status, reason, channel, merchantId, type } = message;
  const { isDevelopment } = useSession();
  const { attempts, provider, providerMessageId, messageId, purpose, project } = message;
  const isErased = to === "erased";
  const call = isErased ? undefined : sendOf(message);
  return (
    <>
      <p class="headline">
        <Status status={status} reason={reason} /> {channel} to{" "}
        {isErased ? "an erased recipient" : <Link to={{ page: "recipient", contact: to }}>{toVisible(to)}</Link>}
      </p>
      {subject !== null && <h2>{toVisible(subject)}</h2>}
      {!isErased && <Content message={message} />}
      <Timeline message={message} />
      <dl class="facts">
        <dt>Merchant</dt>
        <dd>
          <Link to={{ page: "messages", query: `merchant:${merchantId}` }}>{merchantId}</Link>
        </dd>
        <ProjectFact project={project} />
        <dt>For</dt>
        <dd>{purpose === "CONFIRMATION" ? "confirming a reply" : type.toLowerCase()}</dd>
        <dt>Quota</dt>
        <dd>
          {unitsOf(message)}, {describeCharge(message)}
        </dd>
        <dt>Cost</dt>
        <dd>{describeCost(message)}</dd>
        <dt>Attempts</dt>
        <dd>{attempts}</dd>
        <dt>Carrier</dt>
        <dd>
          {provider === null ? "none yet" : `${provider}${providerMessageId === null ? "" : `: ${providerMessageId}`}`}
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{messageId}</code>
        </dd>
      </dl>
      {call !== undefined && <Copies call={call} />}
      {isDevelopment && channel === "SMS" && !isErased && <ReplyForm messageId={messageId} />}
    </>
  );
}

function Content({ message: { channel, content, messageId } }: { readonly message: Message }) {
  if (channel === "EMAIL" && isDocument(content)) return <Mail messageId={messageId} content={content} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this box
    <pre class="content" tabIndex={0}>
      {toVisible(content)}
    </pre>
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
