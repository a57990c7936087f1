// The users who may sign in, and their roles.

import { PageHead } from "../../elements/page.tsx";
import { Failure } from "../../shell/failure.tsx";
import { isTenantAdmin, useSession } from "../../shell/session.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import { useAnswer } from "../use-answer.ts";
import { NewUserForm } from "./new-user-form.tsx";
import { Policy } from "./policy.tsx";
import { UserRow } from "./user-row.tsx";

export function UsersPage() {
  const { role, isDevelopment } = useSession();
  return (
    <section class="page">
      <PageHead title="Users" />
      {isDevelopment && <p class="nothing">A development server has no users: nobody has to sign in.</p>}
      {!isDevelopment && role !== "admin" && <p class="nothing">Only admins can see this page.</p>}
      {!isDevelopment && role === "admin" && <Everybody />}
    </section>
  );
}

function Everybody() {
  const { answer, error, again } = useAnswer("listUsers", {});
  const { shown, more } = useBoundedRows(answer?.users ?? []);
  const session = useSession();
  return (
    <>
      <NewUserForm added={again} />
      {answer !== undefined && isTenantAdmin(session) && <Policy policy={answer.secondFactor} changed={again} />}
      {error !== undefined && <Failure error={error} again={again} />}
      <ul class="list">
        {shown.map((user) => (
          <UserRow key={String(user.userId)} user={user} changed={again} />
        ))}
      </ul>
      {more}
      {answer?.hasMore && (
        <p>
          There are more users. To list all of them, run this on the server: <code>msgd users list</code>
        </p>
      )}
    </>
  );
}
