// The tenant's merchants, loaded once for all pages: for their names, and for the fields in which one is chosen.

import type { ResponseOf } from "@msgctl/contract";
import { useEffect, useState } from "preact/hooks";
import { call } from "./client.ts";

export type Merchant = ResponseOf<"listMerchants">[number];

export interface LoadedMerchants {
  /** Ordered by id; undefined until they are loaded. */
  readonly merchants: readonly Merchant[] | undefined;
  /** Why they could not be loaded the last time; undefined if they could. */
  readonly error: unknown;
  /** Loads them again. */
  readonly again: () => void;
}

type Known = Omit<LoadedMerchants, "again">;

/** A program may rename or add merchants, so the list is loaded again after this long. */
const FRESH_MS = 60_000;

const nothing: Known = { merchants: undefined, error: undefined };

let known = nothing;
let loading: { readonly since: number } | undefined;
const readers = new Set<() => void>();

/** Forgets the merchants, because another tenant was chosen or another user has signed in. */
export function forgetMerchants(): void {
  loading = undefined;
  known = nothing;
}

/** Loads the merchants again, because this page has changed them. The known ones stay until then. */
export function renewMerchants(): void {
  const mine = { since: Date.now() };
  loading = mine;
  const settle = (next: Known) => {
    // the tenant was left, or the merchants were loaded again in the meantime
    if (loading !== mine) return;
    known = next;
    if (next.error !== undefined) loading = undefined;
    for (const read of readers) read();
  };
  call("listMerchants").then(
    (merchants) => settle({ merchants, error: undefined }),
    (error) => settle({ ...known, error }),
  );
}

/**
 * The merchants. If they could not be loaded, the next page that needs them tries again. With `everyMs`, they are loaded
 * again after so many milliseconds while the page is visible.
 */
export function useMerchants(everyMs?: number): LoadedMerchants {
  const [, setRound] = useState(0);
  const shown = known;
  useEffect(() => {
    const read = () => setRound((round) => round + 1);
    readers.add(read);
    if (loading === undefined || Date.now() - loading.since > FRESH_MS) renewMerchants();
    else if (known !== shown) read();
    return () => void readers.delete(read);
  }, []);
  useEffect(() => {
    if (everyMs === undefined) return;
    const renew = () => document.visibilityState === "visible" && renewMerchants();
    const timer = setInterval(renew, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { ...shown, again: renewMerchants };
}
