/** What can be read of anything that was thrown. */

/** The code of an error of the system, such as ENOENT; undefined where there is none. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
