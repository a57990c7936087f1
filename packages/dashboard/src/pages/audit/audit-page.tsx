// The audit log: who viewed a recipient's data, and who made changes.

import { useMemo, useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Empty, PageHead } from "../../elements/page.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Dialog } from "../../shell/dialog.tsx";
import { Failure } from "../../shell/failure.tsx";
import { go } from "../../shell/navigation.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";

type Page = Views["AuditPage"];
type Entry = Page["entries"][number];

export function AuditPage({ about }: { readonly about: string }) {
  const query = about === "" ? {} : { about };
  const { answer, error, again } = useAnswer("listAuditEntries", { query });
  const [older, setOlder] = useState<readonly Page[]>([]);
  const action = useAction();
  const [opened, setOpened] = useState<Entry>();
  const pages = useMemo(() => (answer === undefined ? [] : [answer, ...older]), [answer, older]);
  const entries = useMemo(() => pages.flatMap((page) => page.entries), [pages]);
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
      <PageHead title="Audit" />
      <AboutForm about={about} />
      {error !== undefined && <Failure error={error} again={again} />}
      {action.error !== undefined && <Failure error={action.error} again={loadNext} />}
      {answer?.entries.length === 0 && <Empty title="No entries." />}
      {answer?.entries.length !== 0 && (
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
      {opened !== undefined && (
        <Dialog title="Audit entry" close={() => setOpened(undefined)}>
          <Details entry={opened} />
        </Dialog>
      )}
    </section>
  );
}

const columns: Column<Entry>[] = [
  { heading: "When", class: "time soft", order: "descending", cell: ({ askedAt }) => <Time at={askedAt} isWhole /> },
  { heading: "Who", class: "who", cell: ({ email }) => toVisible(email) },
  { heading: "What", class: "operation main", cell: ({ operation }) => operation },
  { heading: "About", class: "target", cell: ({ target }) => target !== null && toVisible(target) },
];

function Details({ entry }: { readonly entry: Entry }) {
  const { askedAt, email, operation, target, requestId } = entry;
  return (
    <dl class="facts">
      <dt>When</dt>
      <dd>
        <Time at={askedAt} isWhole />
      </dd>
      <dt>Who</dt>
      <dd>{toVisible(email)}</dd>
      <dt>Operation</dt>
      <dd>{operation}</dd>
      {target !== null && (
        <>
          <dt>About</dt>
          <dd>{toVisible(target)}</dd>
        </>
      )}
      {requestId !== null && (
        <>
          <dt>Request</dt>
          <dd>
            <code>{toVisible(requestId)}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

function AboutForm({ about }: { readonly about: string }) {
  const [text, setText] = useState(about);
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        go({ page: "audit", about: text.trim() });
      }}
    >
      <label class="wide">
        Entries about a phone number or email address
        <input
          type="search"
          value={text}
          maxLength={254}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}
