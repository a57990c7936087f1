import type { PageSet } from "../page-set.ts";
import { pageSet as api } from "./api.ts";
import { pageSet as errors } from "./errors.ts";

/** Every folder of documentation that the contract generates. */
export const pageSets: readonly PageSet[] = [api, errors];
