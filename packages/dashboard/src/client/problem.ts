/** Whether there is no such object, so that asking again would not find it. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Problem && (error.status === 404 || error.status === 400);
}

/** A refusal by the server. The message is the server's explanation. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly faults: readonly { readonly pointer: string; readonly detail: string }[];

  constructor(status: number, body: unknown) {
    const { detail, code, errors } = Object(body) as { detail?: string; code?: string; errors?: Problem["faults"] };
    super(detail ?? `The server answered ${status}.`);
    this.status = status;
    this.code = code ?? "unknown";
    this.faults = errors ?? [];
  }
}
