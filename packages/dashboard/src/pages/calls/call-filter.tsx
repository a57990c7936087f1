// The filter of the list of calls. Its fields are parameters of the contract's `listTtsCalls`, and the page's address
// contains their values.

import { useState } from "preact/hooks";
import { go } from "../../shell/navigation.tsx";
import type { CallsRoute } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { MerchantField } from "../merchant-field.tsx";

const fields = [
  ["useCase", "Use case"],
  ["sourceSystem", "Source system"],
  ["tenantId", "Sub-tenant"],
] as const;

export function CallFilter({ route }: { readonly route: CallsRoute }) {
  const [filter, setFilter] = useState(route);
  const { merchantId } = useSession();
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        go(filter);
      }}
    >
      {merchantId === null && (
        <MerchantField
          chosen={filter.merchantId}
          choose={(chosen) => setFilter({ ...filter, merchantId: chosen })}
          none="All"
        />
      )}
      {fields.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            value={filter[name]}
            size={12}
            maxLength={128}
            onInput={({ currentTarget }) => setFilter({ ...filter, [name]: currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit">Show</button>
    </form>
  );
}
