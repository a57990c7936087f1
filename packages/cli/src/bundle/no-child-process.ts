/**
 * Stands in for node:child_process in the bundle (tsup.config.ts): its network and terminal code costs 2 ms of CPU. The few
 * commands that start a program load it by themselves.
 */
export function spawn(): never {
  throw new Error("No command of msgctl is a program of its own.");
}
