// Choice of a scope for a new user or key: all of the tenant's merchants, or one.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toVisible } from "../elements/visible-text.ts";
import { Failure } from "../shell/failure.tsx";
import { useSession } from "../shell/session.ts";
import { useCall } from "./use-answer.ts";

export interface ScopeChoice {
  /** The scope as fields of a request. Without `merchantId`, the scope is all of the tenant's merchants. */
  readonly scope: { readonly merchantId?: string };
  /** The field of the form. */
  readonly field: ComponentChildren;
}

/** Offers the scopes that the user may grant. A user limited to one merchant can grant only that merchant. */
export function useScopeChoice(): ScopeChoice {
  const { merchantId: own } = useSession();
  const { answer, error, again } = useCall("listMerchants", {});
  const [chosen, choose] = useState(own ?? "");
  const field = (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      <label>
        Merchant
        <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {own === null && <option value="">all merchants</option>}
          {answer?.map(({ merchantId, displayName }) => (
            <option key={merchantId} value={merchantId}>
              {toVisible(displayName)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
  return { scope: chosen === "" ? {} : { merchantId: chosen }, field };
}

/** The scope of an existing user or key. */
export function Scope({ merchantId }: { readonly merchantId: string | null }) {
  return <span>{merchantId === null ? "all merchants" : toVisible(merchantId)}</span>;
}
