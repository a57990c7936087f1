// One recipient: their consents with times and sources, and the messages sent to them.

import type { Views } from "../../api.ts";
import { Decision } from "../../elements/decision.tsx";
import { MerchantLink, MerchantName } from "../../elements/merchant.tsx";
import { Card, Empty, PageHead } from "../../elements/page.tsx";
import { Recipient } from "../../elements/recipient.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { isAgent, useSession } from "../../shell/session.ts";
import { nameChannel } from "../message/words.ts";
import { useAnswer } from "../use-answer.ts";
import { ConsentForm } from "./consent-form.tsx";
import { EraseForm } from "./erase-form.tsx";
import { ExportForm } from "./export-form.tsx";
import { LastMessages, useLastMessages } from "./last-messages.tsx";
import { Summary } from "./summary.tsx";
import { UnsuppressForm } from "./unsuppress-form.tsx";

type Story = Views["RecipientView"];

export function RecipientPage({ contact }: { readonly contact: string }) {
  const { answer, error, again } = useAnswer("getRecipient", { path: { contact } });
  const session = useSession();
  const { canSearch, role } = session;
  const query = `to:${answer?.contact}`;
  const found = useLastMessages(canSearch && answer !== undefined ? query : undefined);
  return (
    <section class="page">
      <PageHead
        title={<Recipient contact={answer?.contact ?? contact} />}
        within={{ to: { page: "recipients" }, name: "Recipients" }}
      />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <div class={isAgent(session) ? "columns" : "column"}>
          <div>
            <Summary story={answer} messages={found.answer?.messages} />
            <Consents consents={answer.consents} />
            <Stops stops={answer.stops} />
            <Changes changes={answer.changes} hasMore={answer.hasMore} />
            {canSearch && <LastMessages query={query} found={found} without="To" />}
            <Erasures {...answer} />
          </div>
          {isAgent(session) && (
            <Card id="actions" title="Actions" class="actions-card">
              {answer.suppression !== null && <UnsuppressForm contact={answer.contact} lifted={again} />}
              <ConsentForm contact={answer.contact} recorded={again} />
              {canSearch && <ExportForm contact={answer.contact} />}
              {role === "admin" && <EraseForm contact={answer.contact} erased={again} />}
            </Card>
          )}
        </div>
      )}
    </section>
  );
}

function Consents({ consents }: Pick<Story, "consents">) {
  if (consents.length === 0) return <Empty title="No decision is recorded for this recipient." />;
  return (
    <Card id="decisions" title="Current decisions">
      <table class="table" aria-labelledby="decisions">
        <thead>
          <tr>
            <th scope="col">Merchant</th>
            <th scope="col">Channel</th>
            <th scope="col">Decision</th>
            <th scope="col">Source</th>
            <th scope="col">Recorded</th>
          </tr>
        </thead>
        <tbody>
          {consents.map(({ merchantId, channel, status, source, updatedAt }) => (
            <tr key={`${merchantId} ${channel}`}>
              <td class="named">
                <MerchantLink merchantId={merchantId} />
              </td>
              <td>{nameChannel(channel)}</td>
              <td>
                <Decision status={status} />
              </td>
              <td class="named">{source === null ? "" : toVisible(source)}</td>
              <td>
                <Time at={updatedAt} isWhole />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Stops({ stops }: Pick<Story, "stops">) {
  if (stops.length === 0) return null;
  return (
    <Card id="stops" title="Numbers to which the recipient texted STOP">
      <table class="table" aria-labelledby="stops">
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Word</th>
            <th scope="col">Received</th>
            <th scope="col">Overridden by</th>
          </tr>
        </thead>
        <tbody>
          {stops.map(({ number, word, saidAt, overrides }) => (
            <tr key={number}>
              <td class="named">{toVisible(number)}</td>
              <td class="named">{toVisible(word)}</td>
              <td>
                <Time at={saidAt} isWhole />
              </td>
              <td>
                {overrides.length === 0 && "nobody: messages from this number to the recipient are refused"}
                {overrides.map(({ merchantId, channel, source, updatedAt }) => (
                  <p key={`${merchantId} ${channel}`}>
                    <Decision status="OPT_IN" /> {nameChannel(channel)} of <MerchantName merchantId={merchantId} />
                    {source !== null && `, ${toVisible(source)}`}, <Time at={updatedAt} isWhole />
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Erasures({ keptOptOuts, erasures }: Pick<Story, "keptOptOuts" | "erasures">) {
  if (erasures.length === 0) return null;
  return (
    <section aria-labelledby="erasures">
      <h2 id="erasures">Erased</h2>
      <ul class="list">
        {erasures.map(({ askedAt, endedAt, merchantId, erased }) => (
          <li key={askedAt} class="entry">
            <Time at={askedAt} isWhole /> {erased} messages and calls{merchantId !== null && ` of ${merchantId}`}
            {endedAt === null && ", and more once their sending has ended"}
          </li>
        ))}
      </ul>
      {keptOptOuts.length > 0 && (
        <p>
          Opt-outs that still hold after the erasure:{" "}
          {keptOptOuts.map(({ merchantId, channel }) => `${nameChannel(channel)} of ${merchantId}`).join(", ")}.
        </p>
      )}
    </section>
  );
}

function Changes({ changes, hasMore }: Pick<Story, "changes" | "hasMore">) {
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>History of decisions</summary>
      <ol class="history">
        {changes.map(({ merchantId, channel, status, source, changedBy, changedAt }) => (
          <li key={`${changedAt} ${merchantId} ${channel} ${status} ${changedBy}`}>
            <Time at={changedAt} isWhole /> <Decision status={status} /> {nameChannel(channel)} of{" "}
            <MerchantName merchantId={merchantId} />
            {source !== null && `, ${toVisible(source)}`}, by <code>{toVisible(changedBy)}</code>
          </li>
        ))}
      </ol>
      {hasMore && <p>Older decisions are not shown.</p>}
    </details>
  );
}
