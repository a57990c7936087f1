/** The SDK as it would be packed now: built with the project's own settings, apart from packages/sdk/dist. */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import configurations from "../../../tsup.config.ts";
import { consumerFolder, root } from "./places.ts";

const packageFolder = join(consumerFolder, "node_modules/@msgctl/sdk");

export interface OwnPackage {
  readonly version: string;
  readonly hasWebhooks: boolean;
}

export async function buildOwnPackage(): Promise<OwnPackage> {
  const settings = Array.isArray(configurations) ? configurations.find(({ name }) => name === "sdk") : undefined;
  if (settings === undefined) throw new Error("tsup.config.ts has no configuration of the name sdk");
  mkdirSync(packageFolder, { recursive: true });
  const manifest = join(packageFolder, "package.json");
  copyFileSync(join(root, "packages/sdk/package.json"), manifest);
  await build({ ...settings, config: false, silent: true, dts: false, outDir: join(packageFolder, "dist") });
  return {
    version: JSON.parse(readFileSync(manifest, "utf8")).version,
    hasWebhooks: existsSync(join(packageFolder, "dist/webhooks.js")),
  };
}
