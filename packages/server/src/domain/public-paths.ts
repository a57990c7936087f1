// The paths that a proxy in front passes to the server. Tests hold docs/operations.md and examples/self-hosting to them.

/** The path that people unsubscribe at, before a message's token. */
export const UNSUBSCRIBE_PATH = "/unsubscribe/";

export interface PublicPath {
  /** Everything below it is meant as well. */
  readonly path: string;
  /** Whether callers or recipients need it; otherwise the operator decides who may see it. */
  readonly isNeeded: boolean;
}

export const publicPaths: readonly PublicPath[] = [
  { path: "/api/v1/", isNeeded: true },
  { path: UNSUBSCRIBE_PATH, isNeeded: true },
  { path: "/dashboard", isNeeded: false },
  { path: "/docs", isNeeded: false },
];

/** Paths that are for the operator's own network. `/` leads browsers to a page. */
export const privatePaths: readonly string[] = [
  "/",
  "/favicon.ico",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.yaml",
  "/openapi.json",
  "/control",
];

/** `https://msg.acme.example/` → `https://msg.acme.example/unsubscribe/01jd…`. */
export function toUnsubscribeUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${UNSUBSCRIBE_PATH}${token}`;
}

/** Stands for no message. With its token `msgd carriers` asks whether a public URL leads to a server of this installation. */
export const PROBE_MESSAGE_ID = `msg_${"0".repeat(26)}`;

/** The answer to the token of the probe. */
export const PROBE_WORDS = "Links to unsubscribe lead here.";
