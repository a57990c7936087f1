/**
 * Stands in for signal-exit in the bundle (tsup.config.ts): inquirer rejects its prompt by it when the process ends, and
 * process/interruption.ts does so before that.
 */
export function onExit(): () => void {
  return () => {};
}
