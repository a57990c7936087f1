// The filters of the audit: about whom, by whom, what, and on which days. The address contains them.

import { useState } from "preact/hooks";
import type { QueryOf } from "../../api.ts";
import { go } from "../../shell/navigation.tsx";
import type { AuditRoute } from "../../shell/route.ts";
import { commands, deeds, describeDeed } from "./words.ts";

/** The filters as parameters. The client omits the empty ones. */
export function toQuery({ about, who, deed, from, to }: AuditRoute): QueryOf<"listAuditEntries"> {
  return { about, email: who, operation: deed, from, to };
}

export interface AuditFilterProps {
  readonly route: AuditRoute;
  /** The people to suggest. */
  readonly people: readonly string[];
}

export function AuditFilter({ route, people }: AuditFilterProps) {
  const [filter, setFilter] = useState(route);
  const set = (name: keyof AuditRoute) => (event: { currentTarget: { value: string } }) =>
    setFilter({ ...filter, [name]: event.currentTarget.value });
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        go({ ...filter, about: filter.about.trim() });
      }}
    >
      <label>
        Entries about a phone number or email address
        <input type="search" value={filter.about} maxLength={254} onInput={set("about")} />
      </label>
      <label>
        By
        <input
          type="search"
          list="people"
          value={filter.who}
          maxLength={254}
          placeholder="anybody"
          onInput={set("who")}
        />
        <datalist id="people">
          {people.map((email) => (
            <option key={email} value={email} />
          ))}
        </datalist>
      </label>
      <label>
        Action
        <select value={filter.deed} onChange={set("deed")}>
          <option value="">any</option>
          {filter.deed !== "" && !Object.hasOwn(deeds, filter.deed) && !commands.includes(filter.deed) && (
            <option value={filter.deed}>{describeDeed(filter.deed)}</option>
          )}
          {Object.entries(deeds).map(([operation, words]) => (
            <option key={operation} value={operation}>
              {words}
            </option>
          ))}
          <optgroup label="Commands of the operator">
            {commands.map((command) => (
              <option key={command} value={command}>
                {describeDeed(command)}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <label>
        From
        <input type="date" value={filter.from} onInput={set("from")} />
      </label>
      <label>
        To
        <input type="date" value={filter.to} onInput={set("to")} />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}
