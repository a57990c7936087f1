// The server and all tenants together, for operators: counts, but neither recipients nor texts.

import type { Views } from "../../api.ts";
import { counted, describeCount } from "../../elements/counted.ts";
import { Card, Empty, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { Since, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Backup, Server } from "../health/server.tsx";
import { nameChannel } from "../message/words.ts";
import { useAnswer } from "../use-answer.ts";
import { formatBytes } from "./bytes.ts";

type Installation = Views["InstallationView"];
type Tenant = Views["TenantFigures"];

const POLL_MS = 10_000;

export function InstallationPage() {
  const { answer, error, again } = useAnswer("getInstallation", {}, { everyMs: POLL_MS });
  return (
    <section class="page">
      <PageHead title="Installation" />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer !== undefined && (
        <>
          <Server health={answer} />
          <div class="cards">
            <Messages installation={answer} />
            <Carriers installation={answer} />
            <Waiting installation={answer} />
            <Machine installation={answer} />
          </div>
          <Tenants installation={answer} />
        </>
      )}
    </section>
  );
}

interface PartProps {
  readonly installation: Installation;
}

function Messages({ installation }: PartProps) {
  const { waiting, waitingSince, uncarried, inDoubt, unknown, jobsDue, callbacksPending } = installation;
  return (
    <Card id="messages" title="Messages of all tenants">
      <dl class="facts">
        <Fact name="Due">
          {describeCount(waiting)}
          <Since at={waitingSince} />
        </Fact>
        {uncarried.map(({ channel, waiting: count, since }) => (
          <Fact key={channel} name={`No carrier for ${nameChannel(channel)}`}>
            {describeCount(count)}
            <Since at={since} />
          </Fact>
        ))}
        <Fact name="In doubt">{describeCount(inDoubt)}</Fact>
        <Fact name="Ended UNKNOWN">{describeCount(unknown)}</Fact>
        <Fact name="Pending callbacks">{describeCount(callbacksPending)}</Fact>
        <Fact name="Due jobs">{describeCount(jobsDue)}</Fact>
      </dl>
    </Card>
  );
}

function Carriers({ installation }: PartProps) {
  const { carriersUp, carriersDown, hasMoreDown, tenants } = installation;
  const nameOf = (id: string) => tenants.find(({ tenantId }) => tenantId === id)?.name ?? `tenant ${id}`;
  return (
    <Card id="carriers" title="Carriers">
      <dl class="facts">
        <Fact name="Reachable">{carriersUp.toLocaleString()}</Fact>
        <Fact name="Unreachable">
          {carriersDown.length === 0
            ? "none"
            : carriersDown.map(({ name, channel, tenantId, since }) => (
                <div key={name}>
                  <State state="DOWN" tone="bad" /> {name}, {nameChannel(channel)} of{" "}
                  {tenantId === null ? "all tenants" : <bdi>{toVisible(nameOf(tenantId))}</bdi>}, since{" "}
                  <Time at={since} isWhole />
                </div>
              ))}
          {hasMoreDown && <div>and others</div>}
        </Fact>
      </dl>
    </Card>
  );
}

function Waiting({ installation }: PartProps) {
  const { payments, paymentsSince, registrations, registrationsSince, unmatchedTexts } = installation;
  return (
    <Card id="operator" title="Waiting for you">
      <dl class="facts">
        <Fact name="Payments">
          {describeCount(payments)}
          <Since at={paymentsSince} /> <Command count={payments}>msgd payments list</Command>
        </Fact>
        <Fact name="Registrations">
          {describeCount(registrations)}
          <Since at={registrationsSince} /> <Command count={registrations}>msgd registrations list</Command>
        </Fact>
        <Fact name="Unmatched texts">
          {describeCount(unmatchedTexts)} <Command count={unmatchedTexts}>msgd texts list</Command>
        </Fact>
      </dl>
    </Card>
  );
}

/** The command that shows what waits. */
function Command({ count, children }: { readonly count: Views["BoundedCount"]; readonly children: string }) {
  return count.count === 0 ? null : <code>{children}</code>;
}

function Machine({ installation }: PartProps) {
  const { disk, clockAheadMs } = installation;
  return (
    <Card id="machine" title="Data">
      <dl class="facts">
        <Backup health={installation} />
        {disk !== null && (
          <Fact name="Disk">
            {formatBytes(disk.freeBytes)} of {formatBytes(disk.totalBytes)} free; the database has{" "}
            {formatBytes(disk.databaseBytes)}
          </Fact>
        )}
        {clockAheadMs !== null && (
          <Fact name="Clock">
            {counted(Math.abs(Math.round(clockAheadMs)), "millisecond")} {clockAheadMs < 0 ? "behind" : "ahead of"} the
            database's
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Tenants({ installation }: PartProps) {
  const { tenants, tenantCount, countedSince } = installation;
  return (
    <>
      <h2>Tenants</h2>
      <p class="quiet">
        Messages accepted since <Time at={countedSince} isWhole />, the most first. Segments, emails and calls are of
        this month.
        {tenantCount > tenants.length && (
          <>
            {" "}
            These are {tenants.length} of {tenantCount.toLocaleString()}; <code>msgd tenants list</code> shows all.
          </>
        )}
      </p>
      {tenants.length === 0 ? (
        <Empty title="No tenants yet.">
          <code>msgd tenants create</code> creates one.
        </Empty>
      ) : (
        <Table
          label="Tenants"
          class="tenants-table"
          columns={columns}
          rows={tenants}
          keyOf={({ tenantId }) => tenantId}
          isWhole={tenantCount === tenants.length}
        />
      )}
    </>
  );
}

const columns: Column<Tenant>[] = [
  {
    heading: "Tenant",
    class: "main",
    sortBy: ({ name }) => name,
    cell: ({ name, mode, disabledAt }) => (
      <>
        <bdi>{toVisible(name)}</bdi> {mode === "test" && <State state="TEST" />}{" "}
        {disabledAt !== null && <State state="DISABLED" tone="bad" />}
      </>
    ),
  },
  countColumn("Accepted", ({ accepted }) => accepted),
  countColumn("Segments", ({ month }) => month.smsSegments, "aside"),
  countColumn("Emails", ({ month }) => month.emails, "aside"),
  {
    heading: "Calls",
    class: "aside amount",
    sortBy: ({ month }) => month.calls,
    cell: ({ month }) => describeCount({ count: month.calls, isMore: month.hasMoreCalls }),
  },
  {
    heading: "Waiting",
    class: "aside",
    sortBy: ({ queued }) => queued.count,
    cell: ({ queued, queuedSince }) => (
      <>
        {describeCount(queued)}
        {queuedSince !== null && (
          <>
            {" "}
            since <Time at={queuedSince} />
          </>
        )}
      </>
    ),
  },
  {
    heading: "In doubt",
    class: "aside amount",
    sortBy: ({ inDoubt }) => inDoubt.count,
    cell: ({ inDoubt }) => describeCount(inDoubt),
  },
];

function countColumn(heading: string, read: (tenant: Tenant) => number, name = ""): Column<Tenant> {
  return { heading, class: `amount ${name}`, sortBy: read, cell: (tenant) => read(tenant).toLocaleString() };
}
