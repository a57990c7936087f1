/** An in-memory keychain. After `install()`, the code under test uses it instead of the system's keychain. */
import { vi } from "vitest";
import * as systemKeychain from "../call/access/store/system-keychain.ts";

type Keychain = systemKeychain.Keychain;

/** `missing`: the module is not installed; `locked`: every call fails. */
export type KeychainState = "present" | "missing" | "locked";

export class FakeKeychain {
  state: KeychainState = "missing";
  readonly entries = new Map<string, string>();
  /** Number of times that the module was loaded. */
  loads = 0;
  /** Called before every write and removal. */
  onChange: () => void = () => {};

  reset(state: KeychainState): void {
    this.state = state;
    this.entries.clear();
    this.loads = 0;
    this.onChange = () => {};
  }

  /** Replaces the exports of system-keychain.ts until `vi.restoreAllMocks()`. */
  install(): void {
    vi.spyOn(systemKeychain, "KEYCHAIN_NAME", "get").mockReturnValue("Invented Keychain");
    vi.spyOn(systemKeychain, "probeKeychain").mockImplementation(
      async () => ({ present: undefined, missing: "it is not installed", locked: "it is locked" })[this.state],
    );
    vi.spyOn(systemKeychain, "loadKeychain").mockImplementation(() => this.#load());
  }

  #load(): Keychain | undefined {
    this.loads += 1;
    if (this.state === "missing") return undefined;
    const change = <Result>(act: () => Result) => {
      this.#refuseLocked();
      this.onChange();
      return act();
    };
    return {
      read: (account) => {
        this.#refuseLocked();
        return this.entries.get(account) ?? null;
      },
      write: (account, text) => change(() => void this.entries.set(account, text)),
      remove: (account) => change(() => this.entries.delete(account)),
    };
  }

  #refuseLocked(): void {
    if (this.state === "locked") throw new Error("the collection is locked");
  }
}
