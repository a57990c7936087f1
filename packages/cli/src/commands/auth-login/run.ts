import { abbreviateKey } from "../../call/access/credential-form.ts";
import { changeFolder } from "../../call/access/folder-lock.ts";
import { storeCredential } from "../../call/access/profile-credentials.ts";
import { currentProfile, DEMO_PROFILE, findStore, profileSettings } from "../../call/access/profiles.ts";
import { STORE_KINDS } from "../../call/access/store/credential.ts";
import { openStore } from "../../call/access/store/open-store.ts";
import { checkCredential } from "../../call/check-credential.ts";
import { environmentRemark } from "../../call/environment-remark.ts";
import { findProxy } from "../../call/proxy/find-proxy.ts";
import { type Fault, UsageError } from "../../failures/errors.ts";
import { isLoopback, toBaseUrl } from "../../flags/base-url.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";
import type { Settings } from "../../process/config.ts";
import { findKeyboard } from "../../prompts/keyboard.ts";
import { chooseStore, storeRemarks } from "./choose-store.ts";
import { askFor, findFaults, findMissing, isWhole, readSecret } from "./given-credential.ts";

export const runAuthLogin: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  const profile = options.profile ?? defaultName(settings);
  const given = {
    baseUrl: options.baseUrl ?? cut(settings.baseUrl) ?? findAddress(settings.folder, profile),
    apiKey: toText(line.flags.apiKey)?.trim(),
    apiSecret: await readSecret(toText(line.flags.apiSecretFile), io),
  };
  const keyboard = findKeyboard(io, options);
  refuse([...nameFaults(profile), ...findFaults(given)], keyboard === undefined ? findMissing(given) : []);
  const whole = isWhole(given) ? given : await askFor(given, keyboard, line.globalFlags.color !== false, io);
  // by now all values are present and valid
  if (options.profile === undefined) refuseOtherAddress(settings.folder, profile, whole.baseUrl);
  const isChecked = line.flags.check !== false;
  if (isChecked) {
    const proxy = findProxy(settings.proxies, whole.baseUrl);
    await checkCredential({ ...whole, proxy }, { timeoutMs: options.timeoutMs, io, context });
  }
  const { folder } = settings;
  const requested = STORE_KINDS.find((kind) => kind === line.flags.store);
  const chosen = await chooseStore(requested, findStore(folder, profile), { io, options });
  const { baseUrl, ...credential } = whole;
  const left = await changeFolder(folder, io, (lock) =>
    storeCredential(folder, profile, { credential, baseUrl, store: chosen.store }, lock),
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

function defaultName({ profile, folder }: Settings): string {
  const name = profile ?? currentProfile(folder);
  return name === undefined || name === DEMO_PROFILE ? "default" : name;
}

function nameFaults(name: string): Fault[] {
  const refuse = (message: string) => [{ where: "--profile", message }];
  if (name === DEMO_PROFILE)
    return refuse("demo always means the demo server of the current folder; choose another name");
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return [];
  return refuse(`received ${JSON.stringify(name)}; expected up to 64 letters, digits, dots, dashes and underscores`);
}

/** Refuses a login without --profile that would replace the credential of another service. */
function refuseOtherAddress(folder: string, profile: string, baseUrl: string): void {
  const known = findAddress(folder, profile);
  if (known === undefined || known === baseUrl) return;
  throw new UsageError(`profile ${profile} has another service address; nothing was stored`, [
    `Give --profile <name> to create another profile, or --profile ${profile} to replace this one.`,
  ]);
}

function findAddress(folder: string, profile: string): string | undefined {
  return cut(toText(profileSettings(folder, profile).baseUrl));
}

/** Normalizes the address for storage. An invalid one is returned unchanged, and refused later. */
function cut(address: string | undefined): string | undefined {
  return address && (toBaseUrl(address) ?? address);
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function plainTextRemark(baseUrl: string): string[] {
  if (baseUrl.startsWith("https:") || isLoopback(baseUrl)) return [];
  return ["The address is http, so others on the network can read the credential. Use https."];
}
