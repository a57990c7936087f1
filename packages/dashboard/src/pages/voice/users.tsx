import { State, type Tone } from "../../elements/state.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import { Password } from "./password.tsx";
import type { SipUser } from "./provisioning.ts";

const presence: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  OFFLINE: ["no phone registered", "open"],
  AVAILABLE: ["registered, available", "good"],
  ON_BREAK: ["registered, on a break", "open"],
  BUSY: ["registered, busy", "open"],
};

export function Presence({ agentStatus }: Pick<SipUser, "agentStatus">) {
  const [words, tone] = presence[agentStatus] ?? [agentStatus, "open" as const];
  return <State state={words} tone={tone} />;
}

/** Users with an extension, and whether each has a registered phone. */
export function Users({ users }: { readonly users: readonly SipUser[] }) {
  const { shown, more } = useBoundedRows(users);
  if (users.length === 0) return <p>There are no users.</p>;
  const registered = users.filter(({ agentStatus }) => agentStatus !== "OFFLINE").length;
  return (
    <>
      <table class="table">
        <caption>
          Users: {registered.toLocaleString()} of {users.length.toLocaleString()} registered now
        </caption>
        <thead>
          <tr>
            <th scope="col">Extension</th>
            <th scope="col">User</th>
            <th scope="col">Now</th>
            <th scope="col" class="aside">
              May use
            </th>
            <th scope="col" class="aside">
              Forwards to
            </th>
            <th scope="col">Password</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((user) => (
            <tr key={String(user.userId)}>
              <td class="named">{toVisible(user.extension)}</td>
              <td class="named">
                {toVisible(user.email)} <span class="quiet">as {toVisible(user.sipUsername)}</span>
              </td>
              <td>
                <Presence agentStatus={user.agentStatus} />
              </td>
              <td class="aside">{describeRights(user)}</td>
              <td class="aside">{user.forwardNumber !== null && toVisible(user.forwardNumber)}</td>
              <td class="named">
                <Password user={user} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function describeRights({ voiceEnabled, browserEnabled }: SipUser): string {
  if (!voiceEnabled) return "nothing";
  return browserEnabled ? "phone and browser" : "phone";
}
