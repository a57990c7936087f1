/** Stores credentials in a private file. */
import { join } from "node:path";
import { type JsonRecord, readPrivateJson, refuseLooseFolder } from "../private-file.ts";
import { replaceFile } from "../replace-file.ts";
import { type CredentialStore, toCredential } from "./credential.ts";

/** credentials.json has mode 0600 in a folder of mode 0700. Looser modes are refused. */
export function createFileStore(folder: string): CredentialStore {
  const location = join(folder, "credentials.json");
  const readAll = (): JsonRecord => {
    const all = readPrivateJson(location);
    if (all !== undefined) refuseLooseFolder(folder);
    return all ?? {};
  };
  const writeAll = (all: JsonRecord) => replaceFile(location, `${JSON.stringify(all, null, 2)}\n`);
  return {
    kind: "file",
    location,
    read(profile) {
      const all = readAll();
      return Object.hasOwn(all, profile) ? toCredential(all[profile]) : undefined;
    },
    write(profile, { apiKey, apiSecret }) {
      writeAll({ ...readAll(), [profile]: { apiKey, apiSecret } });
    },
    remove(profile) {
      const { [profile]: removed, ...others } = readAll();
      if (removed !== undefined) writeAll(others);
      return removed !== undefined;
    },
  };
}
