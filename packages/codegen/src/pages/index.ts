import type { Contract } from "../model.ts";
import type { PageSet } from "../page-set.ts";
import { pageSet as cli } from "./cli/pages.ts";
import { pageSet as contract } from "./contract/as-markdown.ts";
import { pageSet as sdk } from "./sdk/pages.ts";
import { pageSet as settings } from "./settings/pages.ts";

/** Documentation made from the contract alone. */
export const contractPages: readonly PageSet<Contract>[] = [contract];

/** Documentation made from the source of packages, under the root of the project. */
export const packagePages: readonly PageSet<string>[] = [cli, sdk, settings];
