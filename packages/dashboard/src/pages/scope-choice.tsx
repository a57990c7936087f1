// What a new user sees or a new key may act for: all of the tenant's, or one merchant's.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../shell/failure.tsx";
import { useSession } from "../shell/session.ts";
import { useCall } from "./use-answer.ts";
import { toVisible } from "./visible-text.ts";

export interface ScopeChoice {
  /** As a request has it: without a merchant for all of the tenant's. */
  readonly scope: { readonly merchantId?: string };
  /** The field of the form. */
  readonly field: ComponentChildren;
}

/** Who sees one merchant can give no more. */
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
          {own === null && <option value="">all of the tenant's</option>}
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

/** The scope of one that there is. */
export function Scope({ merchantId }: { readonly merchantId: string | null }) {
  return <span>{merchantId === null ? "all merchants" : toVisible(merchantId)}</span>;
}
