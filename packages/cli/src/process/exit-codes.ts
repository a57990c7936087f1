/** The exit codes. Scripts depend on them, so a number never changes its meaning. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  auth: 3,
  refused: 4,
  service: 5,
  network: 6,
  rateLimited: 7,
  partial: 8,
  inputNeeded: 9,
  deadline: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The texts of `msgctl help exit-codes`. */
export const EXIT_CODE_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: "Done.",
  [EXIT.internal]:
    "The output could not be written, this machine refused something (a file, a limit), or msgctl has a bug: please report that.",
  [EXIT.usage]:
    "Unknown command or flag, a value that the contract does not allow, or a folder of msgctl that cannot be written. Nothing was sent.",
  [EXIT.auth]: "No credential is configured, or the service refused the credential (401, 403).",
  [EXIT.refused]: "The service refused the request (any other 4xx).",
  [EXIT.service]: "The service failed (5xx). The same command may be repeated with the same --idempotency-key.",
  [EXIT.network]:
    "The service could not be reached, did not respond within --timeout, or something else responded in its place.",
  [EXIT.rateLimited]: "Too many requests (429), even after --retries.",
  [EXIT.partial]: "Partly done: some items failed, or the result of a check or wait is negative.",
  [EXIT.inputNeeded]: "A required value or a confirmation is missing and cannot be asked for. Nothing was sent.",
  [EXIT.deadline]: "The wait timed out before the work was finished.",
  [EXIT.hungUp]:
    "SIGHUP ended the command, for example because its terminal was closed. A command without a terminal, as under nohup, continues.",
  [EXIT.interrupted]: "Interrupted (Ctrl-C), or a confirmation was answered with no.",
  [EXIT.terminated]: "SIGTERM ended the command, in the same way as Ctrl-C does.",
};

/** The exit code for an HTTP status of the service. */
export function toExitCode(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.auth;
  if (status === 429) return EXIT.rateLimited;
  return status >= 400 && status < 500 ? EXIT.refused : EXIT.service;
}
