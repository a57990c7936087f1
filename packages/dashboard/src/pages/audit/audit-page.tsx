// Who looked at recipients, and who changed something.

import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { go } from "../../shell/navigation.tsx";
import { Time } from "../time.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";

type Page = Views["AuditPage"];

export function AuditPage({ about }: { readonly about: string }) {
  const query = about === "" ? {} : { about };
  const { answer, error, again } = useAnswer("listAuditEntries", { query });
  const [older, setOlder] = useState<readonly Page[]>([]);
  const action = useAction();
  const pages = answer === undefined ? [] : [answer, ...older];
  const next = pages.at(-1)?.next ?? null;
  const loadNext = (before: number) =>
    action.run(async () => {
      const page = await ask("listAuditEntries", { query: { ...query, before } });
      setOlder((known) => [...known, page]);
    });
  return (
    <section class="page">
      <h1>Audit</h1>
      <AboutForm about={about} />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.entries.length === 0 && <p>Nothing was asked for.</p>}
      <ul class="list">
        {pages
          .flatMap(({ entries }) => entries)
          .map(({ entryId, askedAt, email, operation, target, requestId }) => (
            <li key={entryId} class="entry">
              <Time at={askedAt} isWhole /> {email} <strong>{operation}</strong>
              {target !== null && ` ${toVisible(target)}`} <code>{requestId}</code>
            </li>
          ))}
      </ul>
      {action.error !== undefined && <Failure error={action.error} />}
      {next !== null && (
        <p>
          <button type="button" disabled={action.isRunning} onClick={() => loadNext(next)}>
            Older ones
          </button>
        </p>
      )}
    </section>
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
        About a phone number or email address
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
