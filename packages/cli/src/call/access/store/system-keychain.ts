/**
 * The only file that uses the optional native module @napi-rs/keyring: the macOS Keychain, the Credential Manager of
 * Windows, the Secret Service of Linux. Its calls are synchronous, and block while the system asks the user to unlock.
 */
import { createRequire } from "node:module";

export interface Keychain {
  /** Returns null if there is no such entry. @throws {Error} With the system's message. */
  read(account: string): string | null;
  write(account: string, text: string): void;
  /** Returns whether there was such an entry. */
  remove(account: string): boolean;
}

const SERVICE = "msgctl";
/** Without this, on Linux the module may fall back to the kernel's keyring, which is lost at the end of the session. */
const OPTIONS = { linux: { store: "secret-service" } } as const;
const NAMES: Partial<Record<NodeJS.Platform, string>> = { darwin: "macOS Keychain", win32: "Credential Manager" };

/** The name by which users of this system know the keychain. */
export const KEYCHAIN_NAME = NAMES[process.platform] ?? "Secret Service";

const MODULE = "@napi-rs/keyring";
// the bundle is CommonJS, which has no import.meta
const require = createRequire(typeof __filename === "string" ? __filename : import.meta.url);

interface Entry {
  getPassword(): string | null;
  setPassword(text: string): void;
  deletePassword(): boolean;
}

interface KeyringModule {
  Entry: new (service: string, account: string, options: typeof OPTIONS) => Entry;
}

/** Returns the system's keychain; undefined if the module is not installed or does not load. */
export function loadKeychain(module = MODULE): Keychain | undefined {
  let keyring: KeyringModule;
  try {
    keyring = require(module);
  } catch {
    return undefined;
  }
  const at = (account: string) => new keyring.Entry(SERVICE, account, OPTIONS);
  return {
    read: (account) => interruptible(() => at(account).getPassword()),
    write: (account, text) => interruptible(() => at(account).setPassword(text)),
    remove: (account) => interruptible(() => at(account).deletePassword()),
  };
}

/** A native call blocks signal handlers while it waits for the user. Without handlers, a signal still ends the process. */
function interruptible<Result>(act: () => Result): Result {
  const listeners = SIGNALS.map((name) => [name, process.listeners(name)] as const);
  for (const name of SIGNALS) process.removeAllListeners(name);
  try {
    return act();
  } finally {
    for (const [name, all] of listeners) for (const listener of all) process.on(name, listener);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs in a separate process: a thread that hangs in a native call cannot be stopped, and blocks even process.exit. */
const PROBE = `
const [, module, service, options] = process.argv;
const { Entry } = require(module);
const entry = new Entry(service, "probe " + process.pid, JSON.parse(options));
entry.setPassword("probe");
const text = entry.getPassword();
entry.deletePassword();
if (text !== "probe") throw new Error("it did not keep what was written");
`;

/** Long enough for the user to unlock the keychain. */
const PROBE_TIMEOUT_MS = 30_000;

export interface ProbeOptions {
  /** Module name or path for `require`. */
  module?: string;
  timeoutMs?: number;
}

/** Writes, reads and removes a test entry. Returns why the keychain is unusable; undefined if it works. */
export async function probeKeychain(
  signal: AbortSignal,
  { module = MODULE, timeoutMs = PROBE_TIMEOUT_MS }: ProbeOptions = {},
): Promise<string | undefined> {
  const path = resolve(module);
  if (path === undefined) return "the package @napi-rs/keyring is not installed";
  // not a static import: only a login needs it, and the bundle replaces it (no-child-process.ts)
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(process.execPath, ["-e", PROBE, path, SERVICE, JSON.stringify(OPTIONS)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const stop = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const exitCode = await new Promise<number | null>((end, fail) => child.once("error", fail).once("close", end));
    if (isLate) return `it did not answer within ${timeoutMs / 1000} seconds`;
    return exitCode === 0 ? undefined : (/^(?:\w*Error): (.+)$/m.exec(said)?.[1] ?? "it does not work here");
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function resolve(module: string): string | undefined {
  try {
    return require.resolve(module);
  } catch {
    return undefined;
  }
}
