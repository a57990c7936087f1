/**
 * Replaces signal-exit in the bundle (tsup.config.ts). inquirer uses signal-exit to reject a prompt when the process ends;
 * process/interruption.ts has aborted the prompt by then.
 */
export function onExit(): () => void {
  return () => {};
}
