// A field for the merchant in a form. It selects the first merchant until the user chooses another.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toVisible } from "../elements/visible-text.ts";
import { Failure } from "../shell/failure.tsx";
import { useCall } from "./use-answer.ts";

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
  const { answer, error, again } = useCall("listMerchants", {});
  const [own, chooseOwn] = useState("");
  const { merchantId: chosen, choose } = kept ?? { merchantId: own, choose: chooseOwn };
  const merchantId = chosen || (answer?.[0]?.merchantId ?? "");
  const field = (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      <label>
        Merchant
        <select required value={merchantId} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {answer?.map(({ merchantId: id, displayName }) => (
            <option key={id} value={id}>
              {toVisible(displayName)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
  return { merchantId, hasNone: answer?.length === 0 && chosen === "", field };
}
