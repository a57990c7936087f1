/** Builds the SDK as a consumer would install it now. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "../built-package.ts";
import { consumerFolder, root } from "./places.ts";

const packageFolder = join(consumerFolder, "node_modules/@msgctl/sdk");

export interface OwnPackage {
  readonly version: string;
  readonly hasWebhooks: boolean;
}

export async function buildOwnPackage(): Promise<OwnPackage> {
  await buildPackage("sdk", join(root, "packages/sdk"), packageFolder);
  return {
    version: JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).version,
    hasWebhooks: existsSync(join(packageFolder, "dist/webhooks.js")),
  };
}
