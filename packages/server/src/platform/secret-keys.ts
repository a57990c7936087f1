import { type DataFolder, readFolderSecretKey } from "./data-folder.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

/**
 * Returns the secret box of a server or command. It seals with the operator's key, else with the data folder's own,
 * which is created for the first secret. Secrets sealed with the folder's key still open after the operator sets one.
 */
export function openSecretBox(folder: DataFolder, configured: Buffer | undefined): SecretBox {
  let kept: Buffer | undefined;
  // read at each use until it exists: an import beside a running server may create it
  const folderKey = (make: boolean) => (kept ??= readFolderSecretKey(folder, { make }));
  const keysToOpen = () => [configured, folderKey(false)].filter((key) => key !== undefined);
  const keysToSeal = () => [configured ?? folderKey(true)].filter((key) => key !== undefined);
  return { seal: createSecretBox(keysToSeal).seal, open: createSecretBox(keysToOpen).open };
}
