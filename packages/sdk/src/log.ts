/** Logs calls through the hooks that watch them. */
import { type Hooks, tell, type WatchedCall } from "./hooks.ts";
import { checkNames } from "./known-names.ts";
import { refusal } from "./refusal.ts";

/** The level of each hook's lines, in order: a level includes those before it. */
const LEVEL_OF = { onError: "error", onRetry: "warn", onResponse: "info", onRequest: "debug" } as const;

/** Selects what is logged: nothing, failed calls, then also retries, then also replies, then also requests. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** Receives log lines: the console, or any object with these methods of the console. */
export type Logger = { readonly [Level in Exclude<LogLevel, "off">]: (line: string) => void };

/** Fields of any event. */
interface LoggedEvent {
  readonly call: WatchedCall;
  readonly attempt?: number;
  readonly status?: number;
  readonly headers?: Headers;
  readonly durationMs?: number;
  readonly delayMs?: number;
  readonly error?: Error;
}

interface LogOptions {
  hooks?: Hooks | undefined;
  logger?: Logger | undefined;
  logLevel?: LogLevel | undefined;
}

/**
 * Returns the hooks. Each also writes its line to the log.
 *
 * @throws {UsageError} For a misspelt hook or an unknown level.
 */
export function withLog({ hooks = {}, logger = console, logLevel = "off" }: LogOptions): Hooks {
  // The hooks may be an instance of a class that has other members, too.
  checkNames("Hooks", hooks, LEVEL_OF, true);
  const levels: LogLevel[] = ["off", ...Object.values(LEVEL_OF)];
  if (!levels.includes(logLevel)) throw refusal("logLevel", logLevel, levels.join(", "));
  const logged: Record<string, (event: LoggedEvent) => unknown> = Object.create(hooks);
  for (const [name, level] of Object.entries(LEVEL_OF).slice(0, levels.indexOf(logLevel))) {
    const hook = logged[name];
    logged[name] = (event) => {
      const answer = tell(hook, event);
      logger[level](lineOf(event));
      return answer;
    };
  }
  return logged;
}

/** Contains no header except the request's id, and neither query nor body: any of them may be secret. */
function lineOf({ call, attempt, status, headers, durationMs, delayMs, error }: LoggedEvent): string {
  const parts = [
    `@msgctl/sdk: ${call.method} ${call.url}`,
    call.idempotencyKey && `key ${call.idempotencyKey}`,
    attempt && `attempt ${attempt}`,
    status && `HTTP ${status}`,
    status && headers?.get("x-request-id"),
    durationMs && `${durationMs.toFixed()} ms`,
    error,
    delayMs !== undefined && `again in ${delayMs.toFixed()} ms`,
  ];
  return parts.filter(Boolean).join(", ");
}
