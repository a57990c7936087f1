/**
 * Replaces node:child_process in the bundle (tsup.config.ts), since loading that module's network and terminal code takes
 * 2 ms of CPU. The few commands that start a program load the real module (process/programs.ts).
 */
export function spawn(): never {
  throw new Error("msgctl has no commands that are separate programs.");
}
