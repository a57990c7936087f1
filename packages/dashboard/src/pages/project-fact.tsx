import { Link } from "../shell/navigation.tsx";
import { allMessages } from "../shell/route.ts";

/** The project's label among the facts of a message; nothing without one. */
export function ProjectFact({ project }: { readonly project: string | null }) {
  if (project === null) return null;
  return (
    <>
      <dt>Project</dt>
      <dd>
        <Link to={{ ...allMessages, query: `project:${project}` }}>{project}</Link>
      </dd>
    </>
  );
}
