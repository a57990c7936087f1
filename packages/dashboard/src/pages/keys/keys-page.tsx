// The API keys with which programs authenticate.

import { PageHead } from "../../elements/page.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import { useAnswer } from "../use-answer.ts";
import { KeyRow } from "./key-row.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

export function KeysPage() {
  const { role } = useSession();
  return (
    <section class="page">
      <PageHead title="API keys" />
      {role === "admin" ? <Everything /> : <p class="nothing">Only admins can see this page.</p>}
    </section>
  );
}

function Everything() {
  const { answer, error, again } = useAnswer("listKeys", {});
  const { shown, more } = useBoundedRows(answer?.keys ?? []);
  return (
    <>
      <NewKeyForm made={again} />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.keys.length === 0 && <p class="nothing">No keys yet.</p>}
      <ul class="list">
        {shown.map((key) => (
          <KeyRow key={key.apiKey} of={key} changed={again} />
        ))}
      </ul>
      {more}
      {answer?.hasMore && (
        <p>
          There are more keys. To list all of them, run this on the server: <code>msgd keys list</code>
        </p>
      )}
    </>
  );
}
