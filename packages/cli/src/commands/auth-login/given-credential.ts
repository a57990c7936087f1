/** Reads the credential of a login from flags, from a file, or from answers at a terminal. */

import { API_KEY_EXPECTED, API_SECRET_EXPECTED, isApiKey, isApiSecret } from "../../call/access/credential-form.ts";
import { type Fault, UsageError } from "../../failures/errors.ts";
import { readMessage } from "../../failures/thrown.ts";
import { BASE_URL_EXPECTED, toBaseUrl } from "../../flags/base-url.ts";
import { readText } from "../../flags/read-text.ts";
import { hasColour } from "../../process/config.ts";
import type { Io } from "../../process/io.ts";
import { createAsker } from "../../prompts/create-asker.ts";

export interface WholeCredential {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

export type GivenCredential = { [Name in keyof WholeCredential]: string | undefined };

const FLAGS: Readonly<
  Record<keyof WholeCredential, { flag: string; meaning: string; expected: string; isRight(text: string): boolean }>
> = {
  baseUrl: {
    ...{ flag: "--base-url", meaning: "Address of the service.", expected: BASE_URL_EXPECTED },
    isRight: (text) => toBaseUrl(text) !== undefined,
  },
  apiKey: { flag: "--api-key", meaning: "Key of the credential.", expected: API_KEY_EXPECTED, isRight: isApiKey },
  apiSecret: {
    ...{ flag: "--api-secret-file", meaning: "File that holds the API secret, or -.", expected: API_SECRET_EXPECTED },
    isRight: isApiSecret,
  },
};
const NAMES = ["baseUrl", "apiKey", "apiSecret"] as const;

export function isWhole(given: GivenCredential): given is WholeCredential {
  return NAMES.every((name) => given[name] !== undefined);
}

/** Checks the values. No fault quotes a value, since any of them may be a secret given in the wrong place. */
export function findFaults(given: GivenCredential): Fault[] {
  return NAMES.flatMap((name) => {
    const { flag, expected, isRight } = FLAGS[name];
    const text = given[name];
    if (text === undefined || isRight(text)) return [];
    if (name === "apiKey" && text.startsWith("mks_")) return [{ where: flag, message: SECRET_AS_KEY }];
    return [{ where: flag, message: `received a value that is not shown; expected ${expected}` }];
  });
}

const SECRET_AS_KEY =
  "received a secret, which is now in the shell history: replace it, and give the new one with --api-secret-file";

export function findMissing(given: GivenCredential): Fault[] {
  return NAMES.filter((name) => given[name] === undefined).map((name) => ({
    where: FLAGS[name].flag,
    message: `missing: ${FLAGS[name].meaning}`,
  }));
}

/** Asks for missing values. */
export async function askFor(
  given: GivenCredential,
  keyboard: NodeJS.ReadableStream | undefined,
  mayColour: boolean,
  io: Io,
): Promise<WholeCredential> {
  // cannot happen: missing values were refused earlier if there is nobody to ask
  if (keyboard === undefined) throw new Error("This is not a terminal, so msgctl cannot ask.");
  const isColoured = mayColour && hasColour(io.env, io.stderr);
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured, signal: io.signal });
  const check = (name: keyof WholeCredential) => (text: string) =>
    FLAGS[name].isRight(text.trim()) || `Expected ${FLAGS[name].expected}`;
  const baseUrl = given.baseUrl ?? (await asker.text("Address of the service", check("baseUrl"))).trim();
  const apiKey = given.apiKey ?? (await asker.text("API key", check("apiKey"))).trim();
  const apiSecret = given.apiSecret ?? (await asker.secret("API secret", check("apiSecret"))).trim();
  return { baseUrl: toBaseUrl(baseUrl) ?? baseUrl, apiKey, apiSecret };
}

/** The secret in a file, or on standard input for `-`. */
export async function readSecret(path: string | undefined, io: Io): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readText(path, io)).trim();
  } catch (error) {
    // not quoted: the path may be a secret given by mistake
    throw new UsageError(`--api-secret-file: the file ${readMessage(error)}`, [
      "Give the path of a file, or - for standard input.",
    ]);
  }
}
