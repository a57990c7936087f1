import { limits } from "./limits.ts";
import { merchants } from "./merchants.ts";
import type { OperationPromise } from "./promise.ts";
import { reads } from "./reads.ts";
import { repeats } from "./repeats.ts";
import { tenants } from "./tenants.ts";

export const promises: readonly OperationPromise[] = [...repeats, ...limits, ...tenants, ...merchants, ...reads];
