// What `--from` and `--to` of a transfer name.

import { type DataFolder, locateDataFolder } from "../platform/data-folder.ts";
import { findUrlFault, hasPassword } from "../platform/database-url.ts";
import { ConfigError, readDatabaseUrl, readDataFolder } from "../settings/config.ts";

export interface TransferFlags {
  readonly from: string;
  readonly to: string;
}

/** A data folder, the URL of a database, and which of them the data is in. */
export interface TransferRoute {
  readonly folder: DataFolder;
  readonly url: string;
  readonly isFromFolder: boolean;
}

type Place = { readonly folder: DataFolder } | { readonly url: string };

/** Reads the flags. Creates nothing. Throws unless one is a data folder and the other a database on a server. */
export function readRoute(flags: TransferFlags, env: NodeJS.ProcessEnv): TransferRoute {
  const from = readPlace("--from", flags.from, env);
  const to = readPlace("--to", flags.to, env);
  if ("folder" in from && "url" in to) return { folder: from.folder, url: to.url, isFromFolder: true };
  if ("url" in from && "folder" in to) return { folder: to.folder, url: from.url, isFromFolder: false };
  throw new ConfigError(
    "folder" in from
      ? "--from and --to: expected a data folder and postgres, received two data folders: copy one with msgd backup and msgd restore"
      : "--from and --to: expected a data folder and postgres, received two databases on servers: copy one with pg_dump and pg_restore",
  );
}

/** A URL is recognized by its scheme; any other text names a folder. */
function readPlace(flag: string, given: string, env: NodeJS.ProcessEnv): Place {
  if (given === "postgres") {
    const url = readDatabaseUrl(env);
    if (url !== undefined) return { url };
    throw new ConfigError(`${flag} postgres: means the database that DATABASE_URL names, and it is not set`);
  }
  if (!given.includes("://")) return { folder: locateDataFolder(readDataFolder(given, {})) };
  if (hasPassword(given)) {
    throw new ConfigError(
      `${flag}: received a URL with a password, which a process list shows: put the URL into DATABASE_URL, and say ${flag} postgres`,
    );
  }
  const fault = findUrlFault(given);
  if (fault === undefined) return { url: given };
  throw new ConfigError(
    `${flag}: expected a data folder, postgres, or postgres://user@host:5432/name, received ${fault}`,
  );
}
