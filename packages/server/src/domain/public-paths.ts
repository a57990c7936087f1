// The paths that a reverse proxy passes to the server. Tests compare docs/operations.md and examples/self-hosting with them.

/** The path of unsubscribe links, before a message's token. */
export const UNSUBSCRIBE_PATH = "/unsubscribe/";

/** The path of carriers' events, before and after the id of the URL. */
const CARRIERS_PATH = "/carriers/";
const EVENTS = "/events";

/** The route of carriers' events. */
export const EVENTS_ROUTE = `${CARRIERS_PATH}:eventsId${EVENTS}`;

/** The path of the speech that providers play in calls, before the token of its link. */
export const SPEECH_PATH = "/speech/";

export interface PublicPath {
  /** Includes all paths below it. */
  readonly path: string;
  /** Whether callers or recipients need the path. If not, the operator decides who may reach it. */
  readonly isNeeded: boolean;
}

export const publicPaths: readonly PublicPath[] = [
  { path: "/api/v1/", isNeeded: true },
  { path: UNSUBSCRIBE_PATH, isNeeded: true },
  { path: CARRIERS_PATH, isNeeded: true },
  { path: SPEECH_PATH, isNeeded: true },
  { path: "/dashboard", isNeeded: false },
  { path: "/docs", isNeeded: false },
];

/** Paths for the operator's own network only. `/` redirects browsers to a page. */
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

/** Appends a path to the server's public URL, which may end with slashes. */
function toPublicUrl(publicUrl: string, path: string): string {
  return publicUrl.replace(/\/+$/, "") + path;
}

/** Makes an unsubscribe link: `https://msg.acme.example/` becomes `https://msg.acme.example/unsubscribe/01jd…`. */
export function toUnsubscribeUrl(publicUrl: string, token: string): string {
  return toPublicUrl(publicUrl, `${UNSUBSCRIBE_PATH}${token}`);
}

/** The URL to which a carrier's provider posts events: `https://msg.acme.example/carriers/3f…/events`. */
export function toEventsUrl(publicUrl: string, eventsId: string): string {
  return toPublicUrl(publicUrl, `${CARRIERS_PATH}${eventsId}${EVENTS}`);
}

/** The URL from which a provider fetches a speech: `https://msg.acme.example/speech/5d…`. */
export function toSpeechUrl(publicUrl: string, token: string): string {
  return toPublicUrl(publicUrl, `${SPEECH_PATH}${token}`);
}

/** An id that no real message has. `msgd carriers` uses its token to check that a public URL reaches this installation. */
export const PROBE_MESSAGE_ID = `msg_${"0".repeat(26)}`;

/** The server's answer to the token of `PROBE_MESSAGE_ID`. */
export const PROBE_WORDS = "Links to unsubscribe lead here.";
