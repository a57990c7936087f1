/** Folders of this section. Installed and built files stay outside of the project's sources. */
import { join } from "node:path";
import { root } from "../sdk/places.ts";

/** msgctl as it is packed, built from the present sources. */
export const ownFolder = join(root, ".cache/bench-cli/msgctl");
/** Each peer's manifest, lock and program. */
export const peersManifestFolder = join(root, "test/bench/cli/peers");
/** Each peer as installed from the registry, in a separate folder, so that its size can be measured. */
export const peersFolder = join(root, ".cache/bench-cli/peers");
