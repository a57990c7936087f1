import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import type { Views } from "../../api.ts";
import { toVisible } from "../../elements/visible-text.ts";
import { groupRefusals } from "./group-refusals.ts";

/** Maximum number of groups shown. The most frequent refusals come first. */
const MOST_GROUPS = 10;

/** Refused requests, counted by code and operation. */
export function Refusals({ requests }: { readonly requests: readonly Views["RequestView"][] }) {
  const groups = groupRefusals(requests);
  if (groups.length === 0) return null;
  return (
    <ul class="groups" aria-label="By code and operation">
      {groups.slice(0, MOST_GROUPS).map(({ code, operation, count }) => (
        <li key={code + operation}>
          <span class="count">{count} ×</span> <a href={PROBLEM_PAGES + code}>{code}</a> {toVisible(operation)}
        </li>
      ))}
    </ul>
  );
}
