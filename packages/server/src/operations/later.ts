import type { OperationId } from "@msgctl/contract";

/** Operations that this version answers with 501. Each leaves the list when its handler comes. */
export const laterOperations = [] as const satisfies readonly OperationId[];

export type LaterOperationId = (typeof laterOperations)[number];
