/** Folders of the benchmark of msgctl. Installed and built files are kept in .cache, outside the project's sources. */
import { join } from "node:path";
import { root } from "../sdk/places.ts";

/** msgctl as npm would pack it, built from the current sources. */
export const ownFolder = join(root, ".cache/bench-cli/msgctl");
/** Each peer's manifest, lockfile and program. */
export const peersManifestFolder = join(root, "test/bench/cli/peers");
/** Each peer as installed from the registry. Each has a folder of its own, so that its size can be measured. */
export const peersFolder = join(root, ".cache/bench-cli/peers");
