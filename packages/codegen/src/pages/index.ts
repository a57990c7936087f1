import type { Contract } from "../model.ts";
import type { PageSet } from "../page-set.ts";
import { pageSet as api } from "./api/pages.ts";
import { pageSet as cli } from "./cli/pages.ts";
import { pageSet as errors } from "./errors/pages.ts";
import { pageSet as sdk } from "./sdk/pages.ts";
import { pageSet as settings } from "./settings/pages.ts";

/** Documentation made from the contract alone. */
export const contractPages: readonly PageSet<Contract>[] = [api, errors];

/** Documentation made from the source of packages, under the root of the project. */
export const packagePages: readonly PageSet<string>[] = [cli, sdk, settings];
