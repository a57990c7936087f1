// The Health page: whether the server is ready, its backlog, and the work that waits for the operator.

import type { Views } from "../../api.ts";
import { counted, describeCount } from "../../elements/counted.ts";
import { Card, Fact, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Since, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { nameChannel } from "../message/words.ts";
import { useAnswer } from "../use-answer.ts";
import { Backup, Server } from "./server.tsx";

type Health = Views["HealthView"];

const LOOK_MS = 5_000;

export function HealthPage() {
  const { answer, error, again } = useAnswer("getHealth", {}, { everyMs: LOOK_MS });
  return (
    <section class="page">
      <PageHead title="Health" />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <>
          <Server health={answer} />
          <div class="cards wide">
            <Database health={answer} />
            <Carriers />
            <Messages health={answer} />
            <Callbacks health={answer} />
            <Operator health={answer} />
          </div>
        </>
      )}
    </section>
  );
}

function Database({ health }: { readonly health: Health }) {
  return (
    <Card id="database" title="Database">
      <dl class="facts">
        <Backup health={health} />
      </dl>
    </Card>
  );
}

function Carriers() {
  const { answer, error, again } = useAnswer("listCarriers", {}, { everyMs: LOOK_MS });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined || answer.carriers.length + answer.uncarried.length === 0) return null;
  return (
    <Card id="carriers" title="Carriers">
      <dl class="facts">
        {answer.carriers.map(({ name, channel, isSecond, isCommon, downSince, downWords, waiting, waitingSince }) => (
          <Fact
            key={name}
            name={`${nameChannel(channel)}${isSecond ? ", second" : ""}${isCommon ? ", shared by all tenants" : ""}`}
          >
            {name}:{" "}
            {downSince === null ? (
              <State state="UP" tone="good" />
            ) : (
              <>
                <State state="DOWN" tone="bad" /> since <Time at={downSince} isWhole />: {toVisible(downWords ?? "")}
              </>
            )}
            {waiting.count > 0 && <> · {describeCount(waiting)} waiting</>}
            <Since at={waitingSince} />
          </Fact>
        ))}
        {answer.uncarried.map(({ channel, waiting, since }) => (
          <Fact key={channel} name={`No carrier for ${channel}`}>
            {describeCount(waiting)}
            <Since at={since} />. Messages wait for a carrier for 72 hours at most, one-time passwords only while they
            are valid. To set a carrier, run <code>msgd carriers set</code> on the server.
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

function Messages({ health }: { readonly health: Health }) {
  const { queued, queuedSince, dispatched, dispatchedSince, inDoubt, unknown } = health;
  const { canSearch } = useSession();
  return (
    <Card id="messages" title="Messages">
      <dl class="facts">
        <Fact name="Not sent yet">
          {describeCount(queued)}
          <Since at={queuedSince} />
          {canSearch && queued.count > 0 && (
            <>
              {" · "}
              <Link to={{ ...allMessages, query: "status:queued" }}>which ones</Link>
            </>
          )}
        </Fact>
        <Fact name="With a carrier">
          {describeCount(dispatched)}
          <Since at={dispatchedSince} />
        </Fact>
        <Fact name="In doubt">
          {describeCount(inDoubt)}
          {inDoubt.count > 0 && ": msgd asks the carrier whether it accepted them"}
        </Fact>
        <Fact name="Ended UNKNOWN">
          {describeCount(unknown)}
          {canSearch && unknown.count > 0 && (
            <>
              {" · "}
              <Link to={{ ...allMessages, query: "status:unknown" }}>which ones</Link>
            </>
          )}
        </Fact>
      </dl>
    </Card>
  );
}

function Callbacks({ health }: { readonly health: Health }) {
  const { callbacksPending, callbacksSince, restingReceivers, hasMoreResting } = health;
  return (
    <Card id="callbacks" title="Callbacks">
      <dl class="facts">
        <Fact name="Pending">
          <Link to={{ page: "callbacks", status: "PENDING", before: "" }}>{describeCount(callbacksPending)}</Link>
          <Since at={callbacksSince} />
        </Fact>
        <Fact name="Silent receivers">
          {restingReceivers.length === 0
            ? "none"
            : restingReceivers.map(({ receiver, rests, triedAt }) => (
                <div key={receiver}>
                  {toVisible(receiver)}: {counted(rests, "pause")} since its last answer, next attempt at{" "}
                  <Time at={triedAt} isWhole />
                </div>
              ))}
          {hasMoreResting && <div>and others</div>}
        </Fact>
      </dl>
    </Card>
  );
}

/** Work for the operator, with the `msgd` commands for it. The dashboard itself cannot do this work. */
function Operator({ health }: { readonly health: Health }) {
  const { payments, paymentsSince, registrations, registrationsSince } = health;
  return (
    <Card id="operator" title="Waiting for the operator">
      <dl class="facts">
        <Fact name="Payments">
          {describeCount(payments)}
          <Since at={paymentsSince} />
          {payments.count > 0 && (
            <>
              {": "}
              <code>msgd payments list</code>
            </>
          )}
        </Fact>
        <Fact name="Registrations">
          {describeCount(registrations)}
          <Since at={registrationsSince} />
          {registrations.count > 0 && (
            <>
              {": "}
              <code>msgd registrations list</code>
            </>
          )}
        </Fact>
      </dl>
    </Card>
  );
}
