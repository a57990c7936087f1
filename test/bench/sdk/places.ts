/** Folders of the section: what it installs and builds stays out of the project. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The manifest that pins the other clients, and its lock. */
export const peersManifestFolder = join(root, "test/bench/sdk/peers");
/** The other clients, as installed from the registry. */
export const peersFolder = join(root, ".cache/bench-peers");
/** This project's package as a consumer has it installed, built from the present sources. */
export const consumerFolder = join(root, ".cache/bench-sdk");
