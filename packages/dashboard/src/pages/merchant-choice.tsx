// A field for the merchant in a form. It selects the first merchant until the user chooses another.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useMerchants } from "../client/merchants.ts";
import { MerchantField } from "./merchant-field.tsx";

export interface MerchantChoice {
  /** Empty until the merchants are loaded, and if there are none. Submitting the form then focuses the field. */
  readonly merchantId: string;
  /** Whether the merchants are loaded and there are none. */
  readonly hasNone: boolean;
  /** The field of the form. */
  readonly field: ComponentChildren;
}

/** A choice that the caller keeps, such as in the page's address. */
export interface KeptChoice {
  /** Empty for the first merchant. */
  readonly merchantId: string;
  readonly choose: (merchantId: string) => void;
}

export function useMerchantChoice(kept?: KeptChoice): MerchantChoice {
  const { merchants } = useMerchants();
  const [own, chooseOwn] = useState("");
  const first = useRef("");
  // it stays when the merchants are loaded again: the form must send what it showed
  first.current ||= merchants?.[0]?.merchantId ?? "";
  const { merchantId: chosen, choose } = kept ?? { merchantId: own, choose: chooseOwn };
  const merchantId = chosen || first.current;
  const field = <MerchantField chosen={merchantId} choose={choose} />;
  return { merchantId, hasNone: merchants?.length === 0 && chosen === "", field };
}
