// A summary of a recipient: whether they may be written to, the last message and its outcome, the last reply, STOPs.

import type { Views } from "../../api.ts";
import { counted } from "../../elements/counted.ts";
import { MerchantName } from "../../elements/merchant.tsx";
import { Card, Fact } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Link } from "../../shell/navigation.tsx";
import { describeReason } from "../message/reasons.ts";
import { nameChannel, nameMessage } from "../message/words.ts";
import { type AllowanceSentence, describeAllowances } from "./allowances.ts";
import { findLastReply } from "./last-reply.ts";

const MOST_NAMED = 3;

export interface SummaryProps {
  readonly story: Views["RecipientView"];
  /** The latest messages, newest first; undefined if they are not known. */
  readonly messages: readonly Views["MessageRow"][] | undefined;
}

export function Summary({ story, messages }: SummaryProps) {
  const reply = findLastReply(story);
  const blocking = story.stops.filter(({ overrides }) => overrides.length === 0).length;
  return (
    <Card id="summary" title="May we write to them?">
      <dl class="facts">
        {describeAllowances(story.mayReceive).map(({ channel, sentences }) => (
          <Fact key={channel} name={nameChannel(channel)}>
            {sentences.map((sentence) => (
              <Sentence key={sentence.words} sentence={sentence} />
            ))}
          </Fact>
        ))}
        {story.suppression !== null && (
          <Fact name="Suppressed">
            <Suppression suppression={story.suppression} />
          </Fact>
        )}
        {story.stops.length > 0 && (
          <Fact name="STOP">
            texted to {counted(story.stops.length, "number")},{" "}
            {blocking === 0
              ? "each overridden by a later opt-in"
              : `${blocking.toLocaleString()} of which may not text them`}
          </Fact>
        )}
        {messages !== undefined && (
          <Fact name="Last message">
            <LastMessage message={messages.find(({ to }) => to.includes("@") || to === story.contact)} />
          </Fact>
        )}
        <Fact name="Last reply">
          {reply === undefined ? (
            "no STOP or START"
          ) : (
            <>
              {toVisible(reply.word)}, <Time at={reply.at} isWhole />
            </>
          )}
        </Fact>
      </dl>
    </Card>
  );
}

function Sentence({ sentence: { merchantIds, isAll, words } }: { readonly sentence: AllowanceSentence }) {
  if (merchantIds.length === 0) {
    return (
      <div>
        {isAll ? "All merchants" : "All other merchants"} {words}.
      </div>
    );
  }
  const named = merchantIds.slice(0, MOST_NAMED);
  const more = merchantIds.length - named.length;
  return (
    <div>
      {named.map((merchantId, index) => (
        <span key={merchantId}>
          {index > 0 && (index === named.length - 1 && more === 0 ? " and " : ", ")}
          <MerchantName merchantId={merchantId} />
        </span>
      ))}
      {more > 0 && ` and ${more.toLocaleString()} more`} {words}.
    </div>
  );
}

function Suppression({
  suppression: { channel, reason, messageId, since, until },
}: {
  readonly suppression: Views["SuppressionView"];
}) {
  return (
    <>
      since <Time at={since} isWhole />, until <Time at={until} isWhole />: {describeReason(reason, channel)}
      {messageId !== null && (
        <>
          , reported for a <Link to={{ page: "message", messageId }}>message</Link>
        </>
      )}
      . Messages fail without being sent.
    </>
  );
}

function LastMessage({ message }: { readonly message: Views["MessageRow"] | undefined }) {
  if (message === undefined) return <>none found</>;
  const { messageId, channel, createdAt, merchantId, status, reason } = message;
  return (
    <>
      <Link to={{ page: "message", messageId }}>{nameMessage(channel)}</Link> of{" "}
      <MerchantName merchantId={merchantId} />, <Time at={createdAt} />:{" "}
      <State state={status} reason={reason === null ? null : describeReason(reason, channel)} />
    </>
  );
}
