// The session's token. It is kept in this page's memory, and refreshed with a cookie that no script can read.

import type { Views } from "../api.ts";

/** How long before its expiry a token is refreshed. */
const EARLY_MS = 60_000;

type SessionToken = Views["SessionToken"];

let current: { readonly token: string; readonly goodUntil: number } | undefined;
let refreshing: Promise<boolean> | undefined;
let onEnd: () => void = () => {};

/** Registers `ended`, which is called when the session has ended for any reason. */
export function onSessionEnd(ended: () => void): void {
  onEnd = ended;
}

/** Stores a token. Its lifetime is computed from the server's times only, since this machine's clock may be wrong. */
export function keepToken({ token, expiresAt }: SessionToken, now: string | null): void {
  const answeredAt = now === null ? Date.now() : Date.parse(now);
  current = { token, goodUntil: Date.now() + Date.parse(expiresAt) - answeredAt - EARLY_MS };
}

export function forgetToken(): void {
  current = undefined;
  onEnd();
}

/** Returns the token to send; undefined if there is none yet, or in development. */
export async function readToken(refresh: () => Promise<boolean>): Promise<string | undefined> {
  if (current !== undefined && Date.now() >= current.goodUntil) await refreshOnce(refresh);
  return current?.token;
}

/** Refreshes the session, once for concurrent callers. Returns whether there is a session. */
export function refreshOnce(refresh: () => Promise<boolean>): Promise<boolean> {
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}
