import { Link } from "../shell/navigation.tsx";

/** The project's label among the facts of a message; nothing without one. */
export function ProjectFact({ project }: { readonly project: string | null }) {
  if (project === null) return null;
  return (
    <>
      <dt>Project</dt>
      <dd>
        <Link to={{ page: "messages", query: `project:${project}` }}>{project}</Link>
      </dd>
    </>
  );
}
