// The Health page: whether the server is ready, its backlog, and the work that waits for the operator.

import type { ComponentChildren } from "preact";
import type { Views } from "../../api.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { counted } from "../../elements/counted.ts";
import { Time } from "../../elements/time.tsx";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../../elements/visible-text.ts";
import { describeCount } from "./describe-count.ts";

type Health = Views["HealthView"];

const LOOK_MS = 5_000;

export function HealthPage() {
  const { answer, error, again } = useAnswer("getHealth", {}, { everyMs: LOOK_MS });
  return (
    <section class="page health">
      <h1>Health</h1>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <>
          <Server health={answer} />
          <Database health={answer} />
          <Carriers health={answer} />
          <Messages health={answer} />
          <Callbacks health={answer} />
          <Operator health={answer} />
          {answer.installation !== null && <Installation installation={answer.installation} />}
        </>
      )}
    </section>
  );
}

function Server({ health: { isReady, obstacle, note, version, engine } }: { readonly health: Health }) {
  return (
    <div role="status">
      <p class="headline">
        <span class="status" data-status={isReady ? "DELIVERED" : "FAILED"}>
          {isReady ? "ready" : "not ready"}
        </span>
        {obstacle !== null && `: ${toVisible(obstacle)}`} · msgd {version} on {engine}
      </p>
      {note !== null && <p>{toVisible(note)}</p>}
    </div>
  );
}

function Database({ health: { engine, canBackUp, backedUpAt } }: { readonly health: Health }) {
  const isOnServer = engine === "PostgreSQL";
  return (
    <section aria-labelledby="database">
      <h2 id="database">Database</h2>
      <dl class="facts">
        <Fact name="Last backup">
          {backedUpAt !== null && <Time at={backedUpAt} isWhole />}
          {canBackUp && backedUpAt === null && (
            <>
              none yet: <code>msgd backup</code> makes one while the server runs
            </>
          )}
          {!canBackUp && (isOnServer ? "made with PostgreSQL's own tools, not by msgd" : "none: the data is in memory")}
        </Fact>
      </dl>
    </section>
  );
}

function Carriers({ health: { carriers } }: { readonly health: Health }) {
  if (carriers.length === 0) return null;
  return (
    <section aria-labelledby="carriers">
      <h2 id="carriers">Carriers</h2>
      <dl class="facts">
        {carriers.map(({ name, channel, isSecond, isCommon, downSince, downWords, waiting, waitingSince }) => (
          <Fact key={name} name={`${channel}${isSecond ? ", second" : ""}${isCommon ? ", shared by all tenants" : ""}`}>
            {name}:{" "}
            {downSince === null ? (
              <span class="status" data-status="DELIVERED">
                up
              </span>
            ) : (
              <>
                <span class="status" data-status="FAILED">
                  down
                </span>{" "}
                since <Time at={downSince} isWhole />: {toVisible(downWords ?? "")}
              </>
            )}
            {waiting.count > 0 && <> · {describeCount(waiting)} waiting</>}
            <Since at={waitingSince} />
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Messages({ health }: { readonly health: Health }) {
  const { queued, queuedSince, uncarried, dispatched, dispatchedSince, inDoubt, unknown } = health;
  const { canSearch } = useSession();
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
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
        {uncarried.map(({ channel, waiting, since }) => (
          <Fact key={channel} name={`No carrier for ${channel}`}>
            {describeCount(waiting)}
            <Since at={since} />. Messages wait for a carrier for 72 hours at most, one-time passwords only while they
            are valid. To set a carrier, run <code>msgd carriers set</code> on the server.
          </Fact>
        ))}
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
    </section>
  );
}

function Callbacks({ health }: { readonly health: Health }) {
  const { callbacksPending, callbacksSince, restingReceivers, hasMoreResting } = health;
  return (
    <section aria-labelledby="callbacks">
      <h2 id="callbacks">Callbacks</h2>
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
    </section>
  );
}

/** Work for the operator, with the `msgd` commands for it. The dashboard itself cannot do this work. */
function Operator({ health }: { readonly health: Health }) {
  const { payments, paymentsSince, registrations, registrationsSince } = health;
  return (
    <section aria-labelledby="operator">
      <h2 id="operator">Waiting for the operator</h2>
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
    </section>
  );
}

function Installation({ installation }: { readonly installation: Views["InstallationHealth"] }) {
  const { waiting, waitingSince, inDoubt, unknown, jobsDue, callbacksPending } = installation;
  return (
    <section aria-labelledby="installation">
      <h2 id="installation">All tenants together</h2>
      <dl class="facts">
        <Fact name="Due messages">
          {describeCount(waiting)}
          <Since at={waitingSince} />
        </Fact>
        <Fact name="In doubt">{describeCount(inDoubt)}</Fact>
        <Fact name="Ended UNKNOWN">{describeCount(unknown)}</Fact>
        <Fact name="Pending callbacks">{describeCount(callbacksPending)}</Fact>
        <Fact name="Due jobs">{describeCount(jobsDue)}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Since({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <>
      , the oldest since <Time at={at} isWhole />
    </>
  );
}
