// The token of the session: in this page's memory, and refreshed by the cookie, which no script can read.

import type { Views } from "../api.ts";

/** How long before a token ends another is asked for. */
const EARLY_MS = 60_000;

type SessionToken = Views["SessionToken"];

let current: { readonly token: string; readonly goodUntil: number } | undefined;
let refreshing: Promise<boolean> | undefined;
let onEnd: () => void = () => {};

/** Calls `ended` when the session has ended, whoever ended it. */
export function onSessionEnd(ended: () => void): void {
  onEnd = ended;
}

/** The clock of this machine may be wrong: only how long the token is good is taken from the server. */
export function keepToken({ token, expiresAt }: SessionToken, now: string | null): void {
  const answeredAt = now === null ? Date.now() : Date.parse(now);
  current = { token, goodUntil: Date.now() + Date.parse(expiresAt) - answeredAt - EARLY_MS };
}

export function forgetToken(): void {
  current = undefined;
  onEnd();
}

/** The token to send; undefined where there is none yet, or in development. */
export async function readToken(refresh: () => Promise<boolean>): Promise<string | undefined> {
  if (current !== undefined && Date.now() >= current.goodUntil) await refreshOnce(refresh);
  return current?.token;
}

/** Refreshes the session, once for all who ask meanwhile. Returns whether there is one. */
export function refreshOnce(refresh: () => Promise<boolean>): Promise<boolean> {
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}
