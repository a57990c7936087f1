/** Chooses where to store a new credential. */
import type { StoreKind } from "../../call/access/store/credential.ts";
import { KEYCHAIN_NAME, probeKeychain } from "../../call/access/store/system-keychain.ts";
import { CliError, ConfigurationError } from "../../failures/errors.ts";
import type { GlobalOptions } from "../../flags/global-options.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import { withSpinner } from "../../prompts/spinner.ts";

export interface ChosenStore {
  store: StoreKind;
  /** Whether the keychain was tested and is unusable. */
  isFallback?: true;
}

/** Tells the user where the credential is, if the choice was automatic. */
export function storeRemarks({ store, isFallback }: ChosenStore, location: string): string[] {
  if (store === "keychain") return [`The credential is in the keychain (${location}).`];
  if (isFallback === undefined) return [];
  return [
    `No keychain can be used here (--store keychain says why): the credential is in ${location}, which only you can read.`,
  ];
}

/** Tests the keychain before the login changes anything: a later failure would leave the profile without a credential. */
export async function chooseStore(
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
