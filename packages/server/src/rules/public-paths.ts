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
