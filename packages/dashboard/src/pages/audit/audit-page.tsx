// The audit log: who viewed recipients, and who changed something.

import { useMemo, useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { ExportButton } from "../../elements/export-button.tsx";
import { Empty, Fact, PageHead } from "../../elements/page.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { nameZone, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Dialog } from "../../shell/dialog.tsx";
import { Failure } from "../../shell/failure.tsx";
import type { AuditRoute } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { AuditFilter, toQuery } from "./audit-filter.tsx";
import { describeDeed } from "./words.ts";

type Page = Views["AuditPage"];
type Entry = Page["entries"][number];

export function AuditPage(route: AuditRoute) {
  const { timezone } = useSession().tenant;
  const query = toQuery(route);
  const { answer, error, again } = useAnswer("listAuditEntries", { query });
  const [older, setOlder] = useState<readonly Page[]>([]);
  const action = useAction();
  const [opened, setOpened] = useState<Entry>();
  const pages = useMemo(() => (answer === undefined ? [] : [answer, ...older]), [answer, older]);
  const entries = useMemo(() => pages.flatMap((page) => page.entries), [pages]);
  const columns = useMemo(() => createColumns(timezone), [timezone]);
  const people = useMemo(() => [...new Set(entries.map(({ email }) => email))].sort(), [entries]);
  const next = pages.at(-1)?.next ?? null;
  const loadNext = () => {
    if (next === null) return;
    action.run(async () => {
      const page = await ask("listAuditEntries", { query: { ...query, before: next } });
      setOlder((known) => [...known, page]);
    });
  };
  return (
    <section class="page">
      <PageHead
        title="Audit"
        actions={<ExportButton file="audit.csv" headings={headings} rows={entries} toCells={toCells} />}
      />
      <AuditFilter route={route} people={people} />
      {error !== undefined && <Failure error={error} again={again} />}
      {action.error !== undefined && <Failure error={action.error} again={loadNext} />}
      {answer !== undefined && entries.length === 0 && next === null && <Empty title="No entries." />}
      {(answer === undefined || entries.length > 0) && (
        <Table
          label="Audit"
          class="audit-table"
          columns={columns}
          rows={answer === undefined ? undefined : entries}
          keyOf={({ entryId }) => String(entryId)}
          open={setOpened}
          isWhole={next === null}
          onNearEnd={loadNext}
        />
      )}
      {next !== null && (
        <p>
          {entries.length === 0 && "No entries among the latest. "}
          <button type="button" aria-disabled={action.isRunning} onClick={loadNext}>
            Search older entries
          </button>
        </p>
      )}
      {opened !== undefined && (
        <Dialog title="Audit entry" close={() => setOpened(undefined)}>
          <Details entry={opened} />
        </Dialog>
      )}
    </section>
  );
}

function createColumns(timezone: string): Column<Entry>[] {
  return [
    {
      heading: `When (${nameZone(timezone)})`,
      class: "time soft",
      order: "descending",
      cell: ({ askedAt }) => <Time at={askedAt} isWhole />,
    },
    { heading: "Who", class: "who", cell: ({ email }) => toVisible(email) },
    { heading: "Did what", class: "operation main", cell: ({ operation }) => describeDeed(operation) },
    { heading: "About", class: "target", cell: ({ target }) => target !== null && toVisible(target) },
  ];
}

const headings = ["when", "who", "did", "about", "operation", "request"];

function toCells({ askedAt, email, operation, target, requestId }: Entry) {
  return [askedAt, email, describeDeed(operation), target, operation, requestId];
}

function Details({ entry }: { readonly entry: Entry }) {
  const { askedAt, email, operation, target, requestId } = entry;
  return (
    <dl class="facts">
      <Fact name="When">
        <Time at={askedAt} isWhole />
      </Fact>
      <Fact name="Who">{toVisible(email)}</Fact>
      <Fact name="Did what">
        {describeDeed(operation)} (<code>{operation}</code>)
      </Fact>
      {target !== null && <Fact name="About">{toVisible(target)}</Fact>}
      {requestId !== null && (
        <Fact name="Request">
          <code>{toVisible(requestId)}</code>
        </Fact>
      )}
    </dl>
  );
}
