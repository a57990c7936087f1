// The possible faults. A world includes each with a probability of one half, and draws a rate for each fault of calls.

/** Faults of calls. Each call fails with the probability that the world drew for the fault. */
export const callFaults = [
  "store refuses",
  "store leaves a commit in doubt",
  "store is slow",
  "disk breaks",
  "process dies at a write",
  "carrier is not reached",
  "carrier's answer is lost",
  "carrier's answer is late",
  "carrier refuses",
  "carrier fails",
  "carrier puts off",
  "carrier does not know",
  "receipt is repeated",
  "receipt is late",
  "receipt never comes",
  "recipient complains",
  "recipient replies",
  "engine fails",
  "processor refuses",
  "processor's answer is late",
  "receiver is not reached",
  "receiver's answer is lost",
  "receiver refuses",
  "receiver is gone",
  "caller's answer is lost",
] as const;

/** Faults that happen at drawn times. */
export const timedFaults = [
  "process is killed",
  "process is replaced",
  "a newer build is installed",
  "process is paused",
  "clock jumps",
  "disk is full",
  "power is cut",
  "backup is restored",
  "carrier is down",
  "receiver is down",
  "key is revoked",
  "recipient opts out",
  "merchant is stopped",
] as const;

export type CallFault = (typeof callFaults)[number];
export type TimedFault = (typeof timedFaults)[number];
