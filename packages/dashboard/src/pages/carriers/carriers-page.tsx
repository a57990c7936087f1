// The carriers of the tenant: whether each can be reached, what it said last, and how much waits for it.

import type { Views } from "../../api.ts";
import { Card, Empty, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { describeCount } from "../health/describe-count.ts";
import { nameChannel } from "../message/words.ts";
import { useAnswer } from "../use-answer.ts";

type Carrier = Views["HealthView"]["carriers"][number];

const POLL_MS = 5_000;

export function CarriersPage() {
  const { answer, error, again } = useAnswer("getHealth", {}, { everyMs: POLL_MS });
  const { tenant, isDevelopment } = useSession();
  return (
    <section class="page">
      <PageHead title="Carriers" />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer?.carriers.length === 0 && (
        <Empty title={tenant.mode === "test" || isDevelopment ? "All messages are simulated." : "No carrier is set."}>
          {tenant.mode === "test" ? (
            "A test tenant sends nothing."
          ) : (
            <>
              The operator of the server sets carriers with <code>msgd carriers set</code>.
            </>
          )}
        </Empty>
      )}
      <div class="cards wide">
        {answer?.carriers.map((carrier) => (
          <CarrierCard key={carrier.name} carrier={carrier} />
        ))}
        {answer?.uncarried.map(({ channel, waiting, since }) => (
          <Card key={channel} id={`no-carrier-${channel}`} title={nameChannel(channel)}>
            <p>
              <State state="NO_CARRIER" tone="bad" />
            </p>
            <p>
              {describeCount(waiting)} waiting
              {since !== null && (
                <>
                  , the oldest since <Time at={since} isWhole />
                </>
              )}
            </p>
          </Card>
        ))}
      </div>
    </section>
  );
}

function CarrierCard({ carrier }: { readonly carrier: Carrier }) {
  const { name, channel, kind, isSecond, isCommon, downSince, downWords, waiting, waitingSince } = carrier;
  const { canSearch } = useSession();
  const isUp = downSince === null;
  return (
    <Card id={name} title={`${nameChannel(channel)}${isSecond ? ", second" : ""}`}>
      <dl class="facts">
        <Fact name="State">
          <State state={isUp ? "UP" : "DOWN"} tone={isUp ? "good" : "bad"} />{" "}
          {downSince !== null && (
            <>
              since <Time at={downSince} isWhole />
            </>
          )}
        </Fact>
        {downWords !== null && <Fact name="Last error">{toVisible(downWords)}</Fact>}
        <Fact name="Waiting">
          {describeCount(waiting)}
          {waitingSince !== null && (
            <>
              , the oldest since <Time at={waitingSince} isWhole />
            </>
          )}
          {canSearch && waiting.count > 0 && (
            <>
              {" · "}
              <Link to={{ ...allMessages, query: `status:queued channel:${channel.toLowerCase()}` }}>which ones</Link>
            </>
          )}
        </Fact>
        <Fact name="Kind">{kind}</Fact>
        <Fact name="Name">
          <code>{name}</code>
        </Fact>
        <Fact name="Used by">{isCommon ? "all tenants" : "this tenant"}</Fact>
        <Fact name="Test">
          <code>msgd carriers test</code> sends a message through it and follows its outcome
        </Fact>
      </dl>
    </Card>
  );
}
