/** The credential that `msgd serve --dev` writes for users of the same folder. */
import { join } from "node:path";
import { ConfigurationError } from "../../failures/errors.ts";
import { isLoopback } from "../../flags/base-url.ts";
import type { Access } from "./access.ts";
import { readPrivateJson } from "./private-file.ts";

/** Reads the credential; undefined if no demo server was ever started in this folder. */
export function readDemoCredential(cwd: string): Access | undefined {
  const path = demoCredentialPath(cwd);
  const content = readPrivateJson(path);
  if (content === undefined) return undefined;
  const { baseUrl, apiKey, apiSecret } = content;
  if (typeof baseUrl !== "string" || typeof apiKey !== "string" || typeof apiSecret !== "string") {
    throw new ConfigurationError("configuration_invalid", `${path} lacks baseUrl, apiKey or apiSecret`, [
      "Run `npm start` again to have the demo server write the file.",
    ]);
  }
  // The folder may be someone else's: its file must not redirect the user's messages to another machine.
  if (!isLoopback(baseUrl)) {
    throw new ConfigurationError(
      "demo_not_local",
      `${path} points to ${JSON.stringify(baseUrl)}, which is not on this machine`,
      ["The demo profile works only with the demo server. Remove the file and run `npm start`."],
    );
  }
  return { baseUrl, apiKey, apiSecret, isDemo: true };
}

/** The secret with which this folder's demo server signs callbacks; undefined if none was ever started here. */
export function readDemoCallbackSecret(cwd: string): string | undefined {
  const secret = readPrivateJson(demoCredentialPath(cwd))?.callbackSecret;
  return typeof secret === "string" ? secret : undefined;
}

/** Path of the file to which a demo server writes its credential. */
export function demoCredentialPath(cwd: string): string {
  return join(cwd, ".msgd", "demo-credential.json");
}
