/** Reads the code and message of any thrown value. */

/** The code of a system error, such as ENOENT; undefined if the value has none. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
