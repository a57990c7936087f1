import type { Views } from "../../api.ts";

type Request = Pick<Views["RequestView"], "code" | "operationId" | "method" | "path">;

export interface RefusalGroup {
  readonly code: string;
  /** The operationId, or the method and path if the request matched no operation. */
  readonly operation: string;
  readonly count: number;
}

/** Counts refusals by operation and code, the most frequent first. */
export function groupRefusals(requests: readonly Request[]): RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>();
  for (const { code, operationId, method, path } of requests) {
    if (code === null) continue;
    const operation = operationId ?? `${method} ${path}`;
    const key = `${code} ${operation}`;
    groups.set(key, { code, operation, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}
