// The built msgctl with a real keychain: GNOME's keyring on a separate session bus, if both are installed.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, runMsgctl } from "./msgctl-process.ts";
import { type Credential, MsgdFolder } from "./msgd-process.ts";

const isInstalled = (program: string) => spawnSync(program, ["--version"], { timeout: 100_000 }).status === 0;
const isPossible = process.platform === "linux" && isInstalled("dbus-daemon") && isInstalled("gnome-keyring-daemon");

const PASSWORD = "correct horse";

/** A session bus with its own keyring, for the duration of this test. */
class Session {
  readonly home = mkdtempSync(join(tmpdir(), "msgctl-keychain-"));
  readonly env: Record<string, string>;
  readonly #pids: number[] = [];

  private constructor() {
    const runtime = join(this.home, "run");
    mkdirSync(runtime, { mode: 0o700 });
    const { PATH = "" } = process.env;
    this.env = { PATH, HOME: this.home, XDG_RUNTIME_DIR: runtime };
  }

  static start(): Session {
    const session = new Session();
    const bus = execFileSync("dbus-daemon", ["--session", "--fork", "--print-address=1", "--print-pid=1"], {
      env: session.env,
      encoding: "utf8",
    });
    const [address = "", pid = ""] = bus.trim().split("\n");
    session.#pids.push(Number(pid));
    session.env.DBUS_SESSION_BUS_ADDRESS = address;
    return session;
  }

  /** Starts the keyring, and unlocks its collection `login` with the password. */
  async unlock(): Promise<void> {
    const child = spawn("gnome-keyring-daemon", ["--foreground", "--components=secrets", "--unlock"], {
      env: this.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    if (child.pid !== undefined) this.#pids.push(child.pid);
    child.stdin.end(PASSWORD);
    // the keyring does not say when it is ready, so the test asks the bus
    const ask = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"];
    const question = [...ask, "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"];
    for (let attempt = 0; attempt < 2_000 && child.exitCode === null; attempt += 1) {
      if (execFileSync("dbus-send", question, { env: this.env, encoding: "utf8" }).includes("boolean true")) return;
      await pause(50);
    }
    throw new Error("gnome-keyring-daemon did not start");
  }

  end(): void {
    for (const pid of this.#pids.reverse()) {
      try {
        process.kill(pid, "SIGTERM");
      } catch {
        // the process has already exited
      }
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}

describe.skipIf(!isPossible)(
  "GNOME's keyring (skipped where dbus-daemon or gnome-keyring-daemon is not installed)",
  () => {
    const server = new MsgdFolder();
    let baseUrl: string;
    let credential: Credential;
    let session: Session;

    beforeAll(async () => {
      ({ baseUrl } = await server.serve());
      credential = server.createTenant();
      session = Session.start();
      await session.unlock();
      writeFileSync(join(session.home, "secret.txt"), credential.apiSecret, { mode: 0o600 });
    });
    afterAll(async () => {
      session.end();
      await server.remove();
    });

    const msgctl = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
      runMsgctl(args, { cwd: session.home, env: { ...session.env, ...env } });
    const login = (...more: string[]) => {
      const given = ["--base-url", baseUrl, "--api-key", credential.apiKey, "--api-secret-file", "secret.txt"];
      return msgctl(["auth", "login", "--profile", "real", ...given, "-o", "json", ...more]);
    };
    const entries = () => {
      const bus = ["--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"];
      const search = ["org.freedesktop.Secret.Service.SearchItems", "dict:string:string:service,msgctl"];
      const reply = execFileSync("dbus-send", [...bus, ...search], { env: session.env, encoding: "utf8" });
      return [...reply.matchAll(/object path "([^"]+)"/g)].map(([, path]) => path);
    };
    const files = () => join(session.home, ".config", "msgctl");

    it("keeps a credential for later commands, and writes no part of it to a file", async () => {
      const { exitCode, stdout } = await login();
      expect([exitCode, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({ store: "keychain", location: "Secret Service" }),
      ]);
      expect(existsSync(join(files(), "credentials.json"))).toBe(false);
      expect(readFileSync(join(files(), "config.json"), "utf8")).not.toContain(credential.apiSecret);
      expect(entries()).toHaveLength(1);
      expect(await msgctl(["merchants", "list"])).toMatchObject({ exitCode: 0, stderr: "" });
      const status = await msgctl(["auth", "status", "-o", "json"]);
      expect(JSON.parse(status.stdout)).toMatchObject({ store: "keychain", accepted: true });
    });

    it("lets a login move the credential to a file and back, and is empty after a logout", async () => {
      expect((await login("--store", "file")).exitCode).toBe(0);
      expect([entries(), existsSync(join(files(), "credentials.json"))]).toEqual([[], true]);
      expect((await login("--store", "keychain")).exitCode).toBe(0);
      expect([entries().length, readFileSync(join(files(), "credentials.json"), "utf8")]).toEqual([1, "{}\n"]);
      expect((await msgctl(["auth", "logout"])).exitCode).toBe(0);
      expect(entries()).toEqual([]);
    });

    it("is reported with a remedy if it is missing, and a login can use a file instead", async () => {
      expect((await login()).exitCode).toBe(0);
      const gone = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" };
      const failed = await msgctl(["merchants", "list", "-o", "json"], gone);
      expect([failed.exitCode, JSON.parse(failed.stderr)]).toEqual([
        3,
        expect.objectContaining({ code: "keychain_unavailable" }),
      ]);
      const given = ["--base-url", baseUrl, "--api-key", credential.apiKey, "--api-secret-file", "secret.txt"];
      const other = await msgctl(["auth", "login", "--profile", "other", ...given, "-o", "json"], gone);
      expect([other.exitCode, JSON.parse(other.stdout).store]).toEqual([0, "file"]);
      expect(other.stderr).toContain("No keychain can be used here (--store keychain says why): the credential is in ");
      expect((await msgctl(["merchants", "list", "--profile", "real"])).exitCode).toBe(0);
    });

    it("is reported if it is locked and no user can unlock it", async () => {
      const locked = ["--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"];
      const collection = "array:objpath:/org/freedesktop/secrets/collection/login";
      execFileSync("dbus-send", [...locked, "org.freedesktop.Secret.Service.Lock", collection], { env: session.env });
      const failed = await msgctl(["merchants", "list", "--profile", "real", "-o", "json"]);
      const { code, message, hints } = JSON.parse(failed.stderr);
      expect([failed.exitCode, code, hints[0]]).toEqual([3, "keychain_unavailable", expect.stringContaining("Unlock")]);
      expect(message).toContain("unlock prompt was dismissed");
      expect((await login("--store", "keychain")).exitCode).toBe(3);
      expect((await login("--store", "file")).exitCode).toBe(0);
      expect((await msgctl(["merchants", "list", "--profile", "real"])).exitCode).toBe(0);
    });
  },
);
