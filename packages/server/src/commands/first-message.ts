// Describes how an operator sends a first message, and finds the address of the server for it.

import { readFileSync } from "node:fs";
import type { IssuedCredential } from "../domain/tenancy/tenants.ts";
import { writePrivateFile } from "../platform/data-folder.ts";
import { shellWord } from "../platform/shell-word.ts";
import { readPublicUrl } from "../settings/config.ts";
import { settings } from "../settings/settings.ts";
import type { Installation } from "./database.ts";
import { formatUrl } from "./ready.ts";

type ServedFrom = Pick<Installation, "folder" | "database" | "name">;

const merchantId = "first-merchant";
/** A number to which the simulated carrier delivers. */
const recipient = "+12025550100";

/**
 * Returns commands, ready to paste, that send a first message with a new credential. A merchant's key cannot create
 * merchants, so its first message is sent for its own merchant.
 */
export function describeFirstMessage(
  { apiKey, apiSecret, merchantId: own }: IssuedCredential,
  baseUrl: string,
  platform: string = process.platform,
): string {
  const variables = { MSGCTL_BASE_URL: baseUrl, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret };
  const create = `merchants upsert --merchant-id ${merchantId} --display-name "First Merchant" --sms-limit 100`;
  const send = `send sms --merchant-id ${shellWord(own ?? merchantId)} --to ${recipient} --message Hello --type OTP`;
  const commands = [...(own === null ? [create] : []), send].map((words) => `  npx msgctl ${words}\n`);
  return `\nA first message, while the server runs:\n\n  ${setVariables(variables, platform)}\n${commands.join("")}`;
}

function setVariables(variables: Readonly<Record<string, string>>, platform: string): string {
  const entries = Object.entries(variables);
  if (platform === "win32") return entries.map(([name, value]) => `$env:${name}=${JSON.stringify(value)}`).join("; ");
  return `export ${entries.map(([name, value]) => `${name}=${shellWord(value)}`).join(" ")}`;
}

/** Writes the server's URL and public URL into the folder; also the database's name if the database is on a server. */
export function noteAddress(
  { folder, database, name }: ServedFrom,
  { baseUrl, publicUrl = "" }: { baseUrl: string; publicUrl?: string | undefined },
): void {
  writePrivateFile(folder.addressFile, `${baseUrl}\n${"url" in database ? name : ""}\n${publicUrl}\n`);
}

/** Returns the address that a server of this database wrote into the folder; undefined if there is none. */
function readAddress({ folder, database, name }: ServedFrom) {
  try {
    const [baseUrl = "", noted, publicUrl = ""] = readFileSync(folder.addressFile, "utf8").split("\n");
    if (noted !== ("url" in database ? name : "")) return undefined;
    return { baseUrl: localUrl(new URL(baseUrl)), publicUrl: publicUrl === "" ? undefined : publicUrl };
  } catch {
    return undefined;
  }
}

/**
 * Returns the public URL of an installation: the variable's value if set, else the URL of the folder's current or last
 * server. Throws for an invalid variable.
 */
export function findPublicUrl(served: ServedFrom, env: NodeJS.ProcessEnv): string | undefined {
  return readPublicUrl(env) ?? readAddress(served)?.publicUrl;
}

/** Address of a server without flags and variables. */
export const defaultAddress = formatUrl(settings.host.fallback, Number(settings.port.fallback));

/**
 * Returns the URL of the current or last server of this database that wrote its address into the folder. Before the first
 * start, returns the URL from the variables or defaults, or undefined with DATABASE_URL, because instances may run anywhere.
 */
export function findAddress(served: ServedFrom, env: NodeJS.ProcessEnv): string | undefined {
  const noted = readAddress(served);
  if (noted !== undefined) return noted.baseUrl;
  const { MSGD_HOST, MSGD_PORT } = env;
  if ("url" in served.database && MSGD_HOST === undefined && MSGD_PORT === undefined) return undefined;
  return localUrl(new URL(formatUrl(MSGD_HOST ?? settings.host.fallback, Number(MSGD_PORT ?? settings.port.fallback))));
}

/** Returns the URL for this machine: if the server listens on all addresses, that of the loopback address. */
function localUrl(url: URL): string {
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return url.origin;
}
