import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  API_KEY_EXPECTED,
  API_SECRET_EXPECTED,
  abbreviateKey,
  isApiKey,
  isApiSecret,
} from "../../call/access/credential-form.ts";
import { changeFolder } from "../../call/access/folder-lock.ts";
import { storeCredential } from "../../call/access/profile-credentials.ts";
import { currentProfile, DEMO_PROFILE, findStore, profileSettings } from "../../call/access/profiles.ts";
import { STORE_KINDS, type StoreKind } from "../../call/access/store/credential.ts";
import { openStore } from "../../call/access/store/open-store.ts";
import { KEYCHAIN_NAME, probeKeychain } from "../../call/access/store/system-keychain.ts";
import { checkCredential } from "../../call/check-credential.ts";
import { environmentRemark } from "../../call/environment-remark.ts";
import { CliError, ConfigurationError, type Fault, UsageError } from "../../failures/errors.ts";
import { BASE_URL_EXPECTED, isBaseUrl, isLoopback } from "../../flags/base-url.ts";
import type { GlobalOptions } from "../../flags/global-flags.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";
import { hasColour, type Settings } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import { createAsker } from "../../prompts/inquirer-asker.ts";
import { findKeyboard } from "../../prompts/keyboard.ts";
import { withSpinner } from "../../prompts/spinner.ts";

export const runAuthLogin: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  const profile = options.profile ?? defaultName(settings);
  const given: Given = {
    baseUrl: options.baseUrl ?? settings.baseUrl ?? findAddress(settings.folder, profile),
    apiKey: toText(line.flags.apiKey),
    apiSecret: await readSecret(toText(line.flags.apiSecretFile), io),
  };
  const keyboard = findKeyboard(io, options);
  refuse([...nameFaults(profile), ...findFaults(given)], keyboard === undefined ? findMissing(given) : []);
  const whole = isWhole(given) ? given : await askFor(given, keyboard, line.globalFlags.color !== false, io);
  // every value is there by now, and right
  if (options.profile === undefined) refuseOtherAddress(settings.folder, profile, whole.baseUrl);
  const isChecked = line.flags.check !== false;
  if (isChecked) {
    await checkCredential(whole, { timeoutMs: options.timeoutMs, io, context });
  }
  const { folder } = settings;
  const requested = STORE_KINDS.find((kind) => kind === line.flags.store);
  const chosen = await chooseStore(requested, findStore(folder, profile), { io, options });
  const { baseUrl, ...credential } = whole;
  const left = await changeFolder(folder, io.signal, () =>
    storeCredential(folder, profile, { credential, baseUrl, store: chosen.store }),
  );
  const { kind, location } = openStore(folder, chosen.store);
  const apiKey = abbreviateKey(whole.apiKey);
  const answer = { profile, baseUrl, apiKey, checked: isChecked, store: kind, location };
  const remarks = [
    `Profile ${profile} is the current one.`,
    ...storeRemarks(chosen, location),
    ...(left === undefined ? [] : [`An earlier copy could not be removed: ${left}`]),
    ...plainTextRemark(baseUrl),
    ...environmentRemark(settings),
  ];
  await print(answer, remarks);
};

interface Whole {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

type Given = { [Name in keyof Whole]: string | undefined };

const FLAGS: Readonly<
  Record<keyof Whole, { flag: string; meaning: string; expected: string; isRight(text: string): boolean }>
> = {
  baseUrl: { flag: "--base-url", meaning: "Address of the service.", expected: BASE_URL_EXPECTED, isRight: isBaseUrl },
  apiKey: { flag: "--api-key", meaning: "Key of the credential.", expected: API_KEY_EXPECTED, isRight: isApiKey },
  apiSecret: {
    ...{ flag: "--api-secret-file", meaning: "File that holds its secret, or -.", expected: API_SECRET_EXPECTED },
    isRight: isApiSecret,
  },
};
const NAMES = ["baseUrl", "apiKey", "apiSecret"] as const;

function isWhole(given: Given): given is Whole {
  return NAMES.every((name) => given[name] !== undefined);
}

/** None repeats a value: a secret may stand in the place of any. */
function findFaults(given: Given): Fault[] {
  return NAMES.flatMap((name) => {
    const { flag, expected, isRight } = FLAGS[name];
    const text = given[name];
    if (text === undefined || isRight(text)) return [];
    if (name === "apiKey" && text.startsWith("mks_")) return [{ where: flag, message: SECRET_AS_KEY }];
    return [{ where: flag, message: `received a value that is not shown; expected ${expected}` }];
  });
}

const SECRET_AS_KEY =
  "received a secret, which a shell keeps in its history: have it replaced, and give the new one by --api-secret-file";

function findMissing(given: Given): Fault[] {
  return NAMES.filter((name) => given[name] === undefined).map((name) => ({
    where: FLAGS[name].flag,
    message: `missing: ${FLAGS[name].meaning}`,
  }));
}

async function askFor(
  given: Given,
  keyboard: NodeJS.ReadableStream | undefined,
  mayColour: boolean,
  io: Io,
): Promise<Whole> {
  // refused before where nobody can be asked
  if (keyboard === undefined) throw new Error("There is nobody to ask.");
  const isColoured = mayColour && hasColour(io.env, io.stderr);
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured, signal: io.signal });
  const check = (name: keyof Whole) => (text: string) =>
    FLAGS[name].isRight(text) || `Expected ${FLAGS[name].expected}`;
  const baseUrl = given.baseUrl ?? (await asker.text("Address of the service", check("baseUrl")));
  const apiKey = given.apiKey ?? (await asker.text("API key", check("apiKey")));
  const apiSecret = given.apiSecret ?? (await asker.secret("API secret", check("apiSecret")));
  return { baseUrl, apiKey, apiSecret };
}

function defaultName({ profile, folder }: Settings): string {
  const name = profile ?? currentProfile(folder);
  return name === undefined || name === DEMO_PROFILE ? "default" : name;
}

function nameFaults(name: string): Fault[] {
  const refuse = (message: string) => [{ where: "--profile", message }];
  if (name === DEMO_PROFILE) return refuse("demo is the demo server of the present folder; choose another name");
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return [];
  return refuse(`received ${JSON.stringify(name)}; expected up to 64 letters, digits, dots, dashes and underscores`);
}

/** Whoever names no profile must not replace the credential of another service by accident. */
function refuseOtherAddress(folder: string, profile: string, baseUrl: string): void {
  const known = findAddress(folder, profile);
  if (known === undefined || known === baseUrl) return;
  throw new UsageError(`profile ${profile} is for another address; nothing was stored`, [
    `Give --profile <name> for a profile of its own, or --profile ${profile} to replace that one.`,
  ]);
}

function findAddress(folder: string, profile: string): string | undefined {
  return toText(profileSettings(folder, profile).baseUrl);
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function readSecret(path: string | undefined, io: Io): Promise<string | undefined> {
  if (path === undefined) return undefined;
  if (path === "-") return (await io.readStdin()).trim();
  try {
    return readFileSync(resolve(io.cwd, path), "utf8").trim();
  } catch {
    // the path is not repeated: it may be a secret that was meant for a file
    throw new UsageError("--api-secret-file: the file cannot be read", [
      "Give the path of a file, or - for standard input.",
    ]);
  }
}

interface ChosenStore {
  store: StoreKind;
  /** Whether a keychain was tried and is of no use. */
  isFallback?: true;
}

function storeRemarks({ store, isFallback }: ChosenStore, location: string): string[] {
  if (store === "keychain") return [`The credential is in the keychain (${location}).`];
  if (isFallback === undefined) return [];
  return [
    `No keychain can be used here (--store keychain says why): the credential is in ${location}, which only you can read.`,
  ];
}

/** A keychain is tried first, since what it refuses half-way would leave the profile without a credential. */
async function chooseStore(
  requested: StoreKind | undefined,
  present: StoreKind | undefined,
  { io, options: { quiet } }: { io: Io; options: Pick<GlobalOptions, "quiet"> },
): Promise<ChosenStore> {
  if ((requested ?? present) === "file") return { store: "file" };
  const probing = probeKeychain(io.signal);
  const problem = await (quiet ? probing : withSpinner({ screen: io.stderr, label: "Trying the keychain" }, probing));
  if (io.signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was stored");
  if (problem === undefined) return { store: "keychain" };
  if (requested === undefined) return { store: "file", isFallback: true };
  throw new ConfigurationError(
    "keychain_unavailable",
    `the keychain (${KEYCHAIN_NAME}) cannot be used: ${problem}; nothing was stored`,
    ["Unlock or start it, or give --store file."],
  );
}

function plainTextRemark(baseUrl: string): string[] {
  if (baseUrl.startsWith("https:") || isLoopback(baseUrl)) return [];
  return ["The address is http: whoever is on the way can read the credential."];
}
