import { State } from "../../elements/state.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { useBoundedRows } from "../bounded-rows.tsx";
import type { Provisioning } from "./provisioning.ts";

/** The phone numbers at which people can call the tenant. */
export function Numbers({ phoneNumbers }: Pick<Provisioning, "phoneNumbers">) {
  const { shown, more } = useBoundedRows(phoneNumbers);
  if (phoneNumbers.length === 0) return null;
  return (
    <>
      <table class="table">
        <caption>Numbers</caption>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Used for</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, e164Number, label, status, capabilities, primary }) => (
            <tr key={String(id)}>
              <td class="named">{toVisible(e164Number)}</td>
              <td class="named">
                {label !== null && toVisible(label)}
                {primary && <span class="quiet"> main</span>}
              </td>
              <td>
                <State state={status} tone={status === "ACTIVE" ? "good" : "open"} />
              </td>
              <td>{toVisible(capabilities.join(", "))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}
