import { type DataFolder, readFolderSecretKey } from "./data-folder.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

/**
 * The box of a server's or a command's secrets: sealed with the operator's key, else with the data folder's own, which is
 * made for the first secret. What the folder's key sealed opens after the operator has set one, too.
 */
export function openSecretBox(folder: DataFolder, configured: Buffer | undefined): SecretBox {
  let kept: Buffer | undefined;
  // asked for at each use until it is there: an import beside a running server makes it
  const folderKey = (make: boolean) => (kept ??= readFolderSecretKey(folder, { make }));
  const keysToOpen = () => [configured, folderKey(false)].filter((key) => key !== undefined);
  const keysToSeal = () => [configured ?? folderKey(true)].filter((key) => key !== undefined);
  return { seal: createSecretBox(keysToSeal).seal, open: createSecretBox(keysToOpen).open };
}
