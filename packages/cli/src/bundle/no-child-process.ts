/** Stands in for node:child_process in the bundle (tsup.config.ts): its network and terminal code costs 2 ms of CPU. */
export function spawn(): never {
  throw new Error("No command of msgctl starts another program.");
}
