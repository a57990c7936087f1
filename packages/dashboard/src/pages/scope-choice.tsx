// Choice of a scope for a new user or key: all of the tenant's merchants, or one.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MerchantName } from "../elements/merchant.tsx";
import { useSession } from "../shell/session.ts";
import { MerchantField } from "./merchant-field.tsx";

export interface ScopeChoice {
  /** The scope as fields of a request. Without `merchantId`, the scope is all of the tenant's merchants. */
  readonly scope: { readonly merchantId?: string };
  /** The field of the form. */
  readonly field: ComponentChildren;
}

/** Offers the scopes that the user may grant. A user limited to one merchant can grant only that merchant. */
export function useScopeChoice(): ScopeChoice {
  const { merchantId: own } = useSession();
  const [chosen, choose] = useState(own ?? "");
  const none = own === null ? "all merchants" : undefined;
  const field = <MerchantField chosen={chosen} choose={choose} none={none} />;
  return { scope: chosen === "" ? {} : { merchantId: chosen }, field };
}

/** The scope of an existing user or key. */
export function Scope({ merchantId }: { readonly merchantId: string | null }) {
  return <span>{merchantId === null ? "all merchants" : <MerchantName merchantId={merchantId} />}</span>;
}
