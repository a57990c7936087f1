// The tenant's merchants, loaded once for all pages, so that they show names instead of ids.

import type { ResponseOf } from "@msgctl/contract";
import { useEffect, useState } from "preact/hooks";
import { call } from "./client.ts";

export type Merchant = ResponseOf<"listMerchants">[number];

/** A merchant may be renamed or added, so the list is loaded again after this long. */
const FRESH_MS = 60_000;

let loading: { readonly since: number; readonly merchants: Promise<readonly Merchant[]> } | undefined;
let loaded: readonly Merchant[] = [];

/** Forgets the merchants, because another tenant was chosen or another user has signed in. */
export function forgetMerchants(): void {
  loading = undefined;
  loaded = [];
}

/** Loads the merchants, ordered by id. Returns those that were asked for at most `freshMs` ago, if there are any. */
export function loadMerchants(freshMs: number): Promise<readonly Merchant[]> {
  if (loading !== undefined && Date.now() - loading.since <= freshMs) return loading.merchants;
  const mine = { since: Date.now(), merchants: call("listMerchants") };
  loading = mine;
  mine.merchants.then(
    (found) => {
      // those of a tenant that was left in the meantime are not wanted
      if (loading === mine) loaded = found;
    },
    () => {
      // the page shows ids, and the next page tries again
      if (loading === mine) loading = undefined;
    },
  );
  return mine.merchants;
}

/** The merchants, ordered by id; empty until they are loaded, or if they cannot be. */
export function useMerchants(): readonly Merchant[] {
  const [merchants, setMerchants] = useState(loaded);
  useEffect(() => {
    let isShown = true;
    loadMerchants(FRESH_MS).then(
      (found) => {
        if (isShown) setMerchants(found);
      },
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, []);
  return merchants;
}
