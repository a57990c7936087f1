import { Fact } from "../elements/page.tsx";
import { Link } from "../shell/navigation.tsx";
import { allMessages } from "../shell/route.ts";

/** Shows the project label of a message or request. Renders nothing if there is none. */
export function ProjectFact({ project }: { readonly project: string | null }) {
  if (project === null) return null;
  return (
    <Fact name="Project">
      <Link to={{ ...allMessages, query: `project:${project}` }}>{project}</Link>
    </Fact>
  );
}
