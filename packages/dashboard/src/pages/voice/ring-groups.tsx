import { toVisible } from "../../elements/visible-text.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import type { Provisioning } from "./provisioning.ts";

const strategies: Readonly<Record<string, string>> = {
  RING_ALL: "all at once",
  SEQUENTIAL: "one after the other",
  ROUND_ROBIN: "in turn",
  LONGEST_IDLE: "the longest idle first",
};

/** Ring groups: their members, their strategies, and the members that can ring now. */
export function RingGroups({ ringGroups }: Pick<Provisioning, "ringGroups">) {
  const { shown, more } = useBoundedRows(ringGroups);
  if (ringGroups.length === 0) return null;
  return (
    <>
      <table class="table">
        <caption>Ring groups</caption>
        <thead>
          <tr>
            <th scope="col">Group</th>
            <th scope="col">Rings</th>
            <th scope="col">Members</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, name, routingStrategy, timeoutSeconds, voicemailEnabled, members }) => (
            <tr key={String(id)}>
              <td class="named">{toVisible(name)}</td>
              <td>
                {strategies[routingStrategy] ?? toVisible(routingStrategy)}, {timeoutSeconds} s
                {voicemailEnabled && ", then voicemail"}
              </td>
              <td class="named">
                <Members members={members} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

type Member = Provisioning["ringGroups"][number]["members"][number];

function Members({ members }: { readonly members: readonly Member[] }) {
  const { shown, more } = useBoundedRows(members);
  if (members.length === 0) return <>nobody</>;
  return (
    <>
      <ul class="members">
        {shown.map(({ userId, email, enabled, browserActive }) => (
          <li key={String(userId)}>
            {toVisible(email)}
            <span class="quiet">
              {enabled ? (browserActive ? ", can ring now" : ", no phone registered") : ", not called"}
            </span>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
