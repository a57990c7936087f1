import { type DataFolder, readFolderSecretKey } from "./data-folder.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

/**
 * Returns the secret box of a server or command. It seals with the operator's first key, else with the data folder's own,
 * which is created for the first secret. The operator's other keys and the folder's key open.
 */
export function openSecretBox(folder: DataFolder, configured: readonly Buffer[]): SecretBox {
  let kept: Buffer | undefined;
  // read at each use until it exists: an import beside a running server may create it
  const folderKey = (make: boolean) => (kept ??= readFolderSecretKey(folder, { make }));
  const keysToOpen = () => [...configured, folderKey(false)].filter((key) => key !== undefined);
  const keysToSeal = () => [configured[0] ?? folderKey(true)].filter((key) => key !== undefined);
  return { ...createSecretBox(keysToOpen), seal: createSecretBox(keysToSeal).seal };
}
