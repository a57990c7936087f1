import { go } from "../../shell/navigation.tsx";
import { useAnswer } from "../use-answer.ts";
import { readProject, withProject } from "./project-condition.ts";

const LOOK_MS = 2_000;

/** A field that limits the search to one project. Renders nothing if no message has a project label. */
export function ProjectChoice({ query }: { readonly query: string }) {
  const { answer = [] } = useAnswer("listProjects", {}, { everyMs: LOOK_MS });
  const chosen = readProject(query);
  const known = answer.map(({ project }) => project);
  const projects = chosen === "" || known.includes(chosen) ? known : [chosen, ...known];
  if (projects.length === 0) return null;
  return (
    <label class="projects">
      Project{" "}
      <select
        value={chosen}
        onChange={({ currentTarget }) => go({ page: "messages", query: withProject(query, currentTarget.value) })}
      >
        <option value="">All</option>
        {projects.map((project) => (
          <option key={project}>{project}</option>
        ))}
      </select>
    </label>
  );
}
