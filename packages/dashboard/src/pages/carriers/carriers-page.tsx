// The carriers of the tenant: whether each can be reached, what it said last, its rate, how much waits for it, and a test.
// Below them, who handles payments.

import type { Views } from "../../api.ts";
import { counted, describeCount } from "../../elements/counted.ts";
import { Card, Empty, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Since, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { nameChannel } from "../message/words.ts";
import { useAnswer } from "../use-answer.ts";
import { CarrierTest } from "./carrier-test.tsx";
import { ProcessorCard } from "./processor-card.tsx";

type Carrier = Views["CarrierView"];

const POLL_MS = 5_000;
/** The kind of a carrier that sends nothing. */
const SIMULATED = "simulated";

export function CarriersPage() {
  const { answer, error, again } = useAnswer("listCarriers", {}, { everyMs: POLL_MS });
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
              <Since at={since} />
            </p>
          </Card>
        ))}
        {answer !== undefined && <ProcessorCard payments={answer.payments} />}
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
          <Since at={waitingSince} />
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
        <Fact name="Rate">{describeRate(carrier)}</Fact>
      </dl>
      {kind !== SIMULATED && <CarrierTest carrier={carrier} />}
    </Card>
  );
}

function describeRate({ perSecond, perSecondOfTenant, isCommon }: Carrier): string {
  const rates = [
    ...(perSecond === null ? [] : [`${counted(perSecond, "message")} a second at most`]),
    // a tenant's own carrier serves no other tenant
    ...(perSecondOfTenant === null || !isCommon ? [] : [`${perSecondOfTenant.toLocaleString()} of each tenant`]),
  ];
  return rates.length === 0 ? "limited by the carrier's capacity only" : rates.join(", ");
}
