/** Logs what calls do, through the hooks that watch them. */
import { type Hooks, tell, type WatchedCall } from "./hooks.ts";
import { checkNames, type NamesOf } from "./known-names.ts";
import { refusal } from "./refusal.ts";

const LEVELS = ["off", "error", "warn", "info", "debug"] as const;

/** How much is logged; each level includes those before it. */
export type LogLevel = (typeof LEVELS)[number];

/** Takes lines of the log: the console, or anything with these methods of it. */
export type Logger = { readonly [Level in Exclude<LogLevel, "off">]: (line: string) => void };

const OF_HOOKS: NamesOf<Hooks> = { onRequest: 1, onResponse: 1, onRetry: 1, onError: 1 };

/**
 * The hooks, each with its line of the log before it. Lines hold what hooks are shown, without headers, whose values may be
 * secret under any name.
 *
 * @throws {UsageError} For a misspelt hook, and an unknown level.
 */
export function withLog({
  hooks = {},
  logger = console,
  logLevel = "off",
}: {
  hooks?: Hooks | undefined;
  logger?: Logger | undefined;
  logLevel?: LogLevel | undefined;
}): Hooks {
  checkNames("Hooks of the client", hooks, OF_HOOKS);
  const most = LEVELS.indexOf(logLevel);
  if (most < 0) throw refusal("logLevel", logLevel, LEVELS.join(", "));
  if (most === 0) return hooks;

  function logged<Event extends { call: WatchedCall }, Answer>(
    level: keyof Logger,
    hook: ((event: Event) => Answer) | undefined,
    lineOf: (event: Event) => string,
  ): ((event: Event) => Answer | undefined) | undefined {
    if (LEVELS.indexOf(level) > most) return hook;
    return (event) => {
      const answer = hook && tell(hook, event);
      const { method, url, idempotencyKey } = event.call;
      const key = idempotencyKey === undefined ? "" : `, key ${idempotencyKey}`;
      logger[level](`@msgctl/sdk: ${method} ${url} ${lineOf(event)}${key}`);
      return answer;
    };
  }

  return {
    onRequest: logged("debug", hooks.onRequest, ({ attempt }) => `is sent, attempt ${attempt}`),
    onResponse: logged("info", hooks.onResponse, ({ attempt, status, headers, durationMs }) => {
      const requestId = headers.get("x-request-id");
      const request = requestId === null ? "" : `, request ${requestId}`;
      return `got HTTP ${status} in ${Math.round(durationMs)} ms, attempt ${attempt}${request}`;
    }),
    onRetry: logged("warn", hooks.onRetry, ({ attempt, delayMs, status, error }) => {
      const why = error?.message ?? `HTTP ${status}`;
      return `is sent again in ${Math.round(delayMs)} ms after attempt ${attempt}: ${why}`;
    }),
    onError: logged("error", hooks.onError, ({ error }) => `failed: ${error.name}: ${error.message}`),
  };
}
