import { EXIT } from "./refusal.ts";

/** How long the process may run after Ctrl-C, which is enough to print the findings. */
const PRINT_WITHIN_MS = 6_000;
/** A signal this soon after a Ctrl-C counts as the same one, since npx forwards it too. */
const SAME_MS = 300;

/** Returns a signal that Ctrl-C aborts. A second Ctrl-C ends the process at once. */
export function watchInterruption(): AbortSignal {
  const controller = new AbortController();
  let interruptedAtMs: number | undefined;
  process.on("SIGINT", () => {
    interruptedAtMs ??= Date.now();
    if (Date.now() - interruptedAtMs >= SAME_MS) process.exit(EXIT.interrupted);
    controller.abort();
    setTimeout(() => process.exit(EXIT.interrupted), PRINT_WITHIN_MS).unref();
  });
  return controller.signal;
}
