/** Finds the secrets that verify callbacks: in files, else in the environment, else from the demo server of this folder. */

import { signWebhook } from "@msgctl/sdk/webhooks";
import { readDemoCallbackSecret, readDemoCredential } from "../../call/access/demo-credential.ts";
import { DEMO_PROFILE } from "../../call/access/profiles.ts";
import { profileInUse } from "../../call/access/resolve-access.ts";
import type { Fault } from "../../failures/errors.ts";
import { readMessage } from "../../failures/thrown.ts";
import { readText } from "../../flags/read-text.ts";
import type { Settings } from "../../process/config.ts";
import type { Io } from "../../process/io.ts";

export interface FoundSecrets {
  secrets: readonly string[];
  /** Where the secrets were found, for people. */
  origin: string;
  /** The address of this folder's demo server, if its secret is used. */
  demoUrl?: string | undefined;
}

const EXPECTED = "whsec_ and base64, as `msgd callbacks secret` prints it";

/** Returns undefined if there is no secret. Adds faults for invalid secrets; no fault quotes one. */
export async function findSecrets(
  { files, profile }: { files: readonly string[]; profile: string | undefined },
  settings: Settings,
  io: Pick<Io, "cwd" | "readStdin">,
  faults: Fault[],
): Promise<FoundSecrets | undefined> {
  if (files.length > 0) {
    const origin = files.includes("-") ? "standard input" : "--secret-file";
    try {
      const secrets = (await Promise.all(files.map((path) => readText(path, io)))).flatMap(secretsIn);
      await checkSecrets("--secret-file", secrets, faults);
      return { secrets, origin };
    } catch (error) {
      // the path is not quoted: it may be a secret given by mistake
      const message = `the file ${readMessage(error)}; expected a path, or - for standard input`;
      faults.push({ where: "--secret-file", message });
      return { secrets: [], origin };
    }
  }
  if (settings.webhookSecret !== undefined) {
    const secrets = secretsIn(settings.webhookSecret);
    await checkSecrets("MSGCTL_WEBHOOK_SECRET", secrets, faults);
    return { secrets, origin: "MSGCTL_WEBHOOK_SECRET" };
  }
  const used = profileInUse(profile, settings);
  const isDemo = used === DEMO_PROFILE || (used === undefined && settings.apiKey === undefined);
  const secret = isDemo ? readDemoCallbackSecret(io.cwd) : undefined;
  if (secret === undefined) return undefined;
  const demoUrl = readDemoCredential(io.cwd)?.baseUrl;
  return { secrets: [secret], origin: "the demo server of this folder", demoUrl };
}

/** Returns the `whsec_` words of a text, such as the output of `msgd callbacks secret`; all words if there are none. */
export function secretsIn(text: string): string[] {
  const words = text.split(/[\s,"]+/).filter((word) => word !== "");
  const marked = words.filter((word) => word.startsWith("whsec_"));
  return marked.length > 0 ? marked : words;
}

async function checkSecrets(where: string, secrets: readonly string[], faults: Fault[]): Promise<void> {
  try {
    // the SDK decides which secrets are valid
    await signWebhook({ type: "check", data: null }, secrets);
  } catch {
    const received = secrets.length === 0 ? "received nothing" : "received a value that is not shown";
    faults.push({ where, message: `${received}; expected ${EXPECTED}` });
  }
}
