// Filters of the messages for readers who do not write searches. Each one writes a condition into the search.

import { CHANNEL_VALUES, MESSAGE_STATUS_VALUES, MESSAGE_TYPE_VALUES } from "@msgctl/contract/constants";
import { useMerchants } from "../../client/merchants.ts";
import { toWords } from "../../elements/state.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { go } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { nameMessage } from "../message/words.ts";
import { useAnswer } from "../use-answer.ts";
import { readCondition, withCondition } from "./search-condition.ts";
import { describeType } from "./types.ts";

const PROJECTS_EVERY_MS = 2_000;

type Choice = readonly [value: string, text: string];

const channels: readonly Choice[] = CHANNEL_VALUES.map((channel) => [channel.toLowerCase(), nameMessage(channel)]);
const statuses: readonly Choice[] = MESSAGE_STATUS_VALUES.map((status) => [status.toLowerCase(), toWords(status)]);
const types: readonly Choice[] = MESSAGE_TYPE_VALUES.map((type) => [type.toLowerCase(), describeType(type)]);
const ages: readonly Choice[] = [
  ["1h", "the last hour"],
  ["1d", "the last 24 hours"],
  ["7d", "the last 7 days"],
  ["30d", "the last 30 days"],
];

export function Filters({ query }: { readonly query: string }) {
  const { isDevelopment, merchantId } = useSession();
  const { merchants = [] } = useMerchants();
  const names = merchants.map(({ merchantId: id, displayName }): Choice => [id, toVisible(displayName)]);
  return (
    <section class="tabs" aria-label="Filters">
      <Filter query={query} about="status" name="Status" choices={statuses} />
      <Filter query={query} about="channel" name="Channel" choices={channels} />
      <Filter query={query} about="type" name="Type" choices={types} />
      {merchantId === null && <Filter query={query} about="merchant" name="Merchant" choices={names} />}
      <Filter query={query} about="after" name="Accepted" any="at any time" choices={ages} />
      {isDevelopment && <ProjectFilter query={query} />}
    </section>
  );
}

interface FilterProps {
  readonly query: string;
  /** The condition's name in the search. */
  readonly about: string;
  readonly name: string;
  /** The text that stands for no filter. @default any */
  readonly any?: string;
  readonly choices: readonly Choice[];
}

function Filter({ query, about, name, any = "any", choices }: FilterProps) {
  const chosen = readCondition(query, about);
  // ids of merchants are case-sensitive, the API's words are not
  const known = [chosen, chosen.toLowerCase()].find((text) => choices.some(([value]) => value === text));
  return (
    <label class="filter" data-set={chosen !== ""}>
      {name}
      <select
        value={known ?? chosen}
        onChange={({ currentTarget }) =>
          go({ ...allMessages, query: withCondition(query, about, currentTarget.value) })
        }
      >
        <option value="">{any}</option>
        {chosen !== "" && known === undefined && <option value={chosen}>{toVisible(chosen)}</option>}
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Filters by the label of messages, if any have one. */
function ProjectFilter({ query }: { readonly query: string }) {
  const { answer = [] } = useAnswer("listProjects", {}, { everyMs: PROJECTS_EVERY_MS });
  if (answer.length === 0 && readCondition(query, "project") === "") return null;
  const choices = answer.map(({ project }): Choice => [project, project]);
  return <Filter query={query} about="project" name="Project" any="all" choices={choices} />;
}
