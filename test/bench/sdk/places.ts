/** Folders of this section. Installed and built files stay outside of the project's sources. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The manifest that pins the other clients, and its lock. */
export const peersManifestFolder = join(root, "test/bench/sdk/peers");
/** The other clients, as installed from the registry. */
export const peersFolder = join(root, ".cache/bench-peers");
/** This project's package as a consumer installs it, built from the present sources. */
export const consumerFolder = join(root, ".cache/bench-sdk");
