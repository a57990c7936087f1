// The audit log: who viewed a recipient's data, and who made changes.

import { useMemo, useRef, useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Dialog } from "../../shell/dialog.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useKeys } from "../../shell/keys.ts";
import { go } from "../../shell/navigation.tsx";
import { List } from "../list/list.tsx";
import { Time } from "../time.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";

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
      <h1>Audit</h1>
      <AboutForm about={about} />
      {error !== undefined && <Failure error={error} again={again} />}
      {action.error !== undefined && <Failure error={action.error} again={loadNext} />}
      {answer?.entries.length === 0 && <p class="nothing">No entries.</p>}
      <List
        label="Audit"
        class="audit-list"
        rows={entries}
        keyOf={({ entryId }) => String(entryId)}
        isWhole={next === null}
        onNearEnd={loadNext}
      >
        {(entry) => <Row entry={entry} open={() => setOpened(entry)} />}
      </List>
      {opened !== undefined && (
        <Dialog title="Audit entry" close={() => setOpened(undefined)}>
          <Details entry={opened} />
        </Dialog>
      )}
    </section>
  );
}

function Row({ entry, open }: { readonly entry: Entry; readonly open: () => void }) {
  const { askedAt, email, operation, target } = entry;
  return (
    <button type="button" class="row" aria-haspopup="dialog" onClick={open}>
      <Time at={askedAt} isWhole />
      <span class="who">{toVisible(email)}</span>
      <strong>{operation}</strong>
      <span class="target">{target !== null && toVisible(target)}</span>
    </button>
  );
}

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
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.focus() });
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
          ref={input}
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
