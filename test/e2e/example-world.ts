// The environment that the examples in msgctl's help, reference and README assume: a demo server, their merchant and files.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanEnvironment, type Ended, msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { MsgdFolder, msgdProgram } from "./msgd-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const TO = "+12025550110";

/** Files that examples name, as a user would have them. */
const FILES: Readonly<Record<string, string>> = {
  "reminders.csv": `Phone,Message\n${TO},Your visit is tomorrow at 9:30.\n+12025550111,Your visit is at 10:00.\n`,
  "answers.csv": `Mobile phone,Status\n${TO},OPT_IN\n+12025550111,OPT_IN\n`,
  "merchants.csv": "merchantId,displayName,smsLimit\nwillow-vet,Willow Vet,1000\n",
  "consent.json": JSON.stringify({ merchantId: "demo", channel: "SMS", contact: "+12025550112", status: "OPT_IN" }),
};

/** Profiles in a user's home, each of them for the demo server. */
type Profiles = readonly [current: string, ...others: string[]] | readonly [];

export class ExampleWorld {
  readonly #folder = new MsgdFolder();
  #baseUrl = "";
  /** Placeholders of examples, with the values that a user would have. */
  #values: readonly (readonly [shown: string, value: string])[] = [];

  /** The working directory of the server and of all examples. */
  get cwd(): string {
    return this.#folder.parent;
  }

  /** Environment variables that msgctl reads. */
  get variables(): Record<string, string> {
    const { apiKey, apiSecret } = this.#folder.demoCredential;
    return { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: this.#baseUrl };
  }

  /** Starts the demo server, with extra flags if needed. */
  async start(...flags: string[]): Promise<void> {
    const { baseUrl } = await this.#folder.serveDemo(...flags);
    this.#baseUrl = baseUrl;
    const { apiKey, apiSecret } = this.#folder.demoCredential;
    for (const [name, text] of Object.entries({ ...FILES, "secret.txt": apiSecret })) {
      writeFileSync(join(this.cwd, name), text);
    }
    cpSync(join(root, "examples"), join(this.cwd, "examples"), { recursive: true });
    // a junction, because Windows requires a privilege for symbolic links
    symlinkSync(join(root, "node_modules"), join(this.cwd, "node_modules"), "junction");
    mkdirSync(join(this.cwd, "bin"));
    for (const [name, program] of Object.entries({ msgctl: msgctlPath, msgd: msgdProgram })) {
      const launcher = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
      writeFileSync(join(this.cwd, "bin", name), launcher, { mode: 0o755 });
    }

    const merchant = ["--merchant-id", "bright-dental"];
    const limits = ["--sms-limit", "5000", "--voice-minutes-limit", "600", "--email-limit", "10000"];
    await this.#prepare(["merchants", "upsert", ...merchant, "--display-name", "Bright Dental", ...limits]);
    for (const contact of [TO, "+12025550111"]) {
      const consent = ["--channel", "SMS", "--contact", contact, "--status", "OPT_IN"];
      await this.#prepare(["consent", "record", ...merchant, ...consent]);
    }
    const email = ["--channel", "EMAIL", "--contact", "dana@patients.example", "--status", "OPT_IN"];
    await this.#prepare(["consent", "record", ...merchant, ...email]);
    await this.#raiseAlert();
    const call = ["--message-text", "Your code is 402913.", "--use-case", "OTP", "--to-number", "+12025550100"];
    const batch = await this.#prepare(["tts", "create", ...merchant, ...call, "-q", "batchId", "-o", "raw"]);
    this.#values = [
      ["https://api.example.com", baseUrl],
      ["http://127.0.0.1:4800", baseUrl],
      ["mkt_live_...", apiKey],
      ["9002", batch.trim()],
    ];
  }

  /** Spends a merchant's whole limit, which raises an alert. */
  async #raiseAlert(): Promise<void> {
    const merchant = ["--merchant-id", "one-message"];
    await this.#prepare(["merchants", "upsert", ...merchant, "--display-name", "One Message", "--sms-limit", "1"]);
    const message = ["--to", TO, "--message", "Your code is 402913.", "--type", "OTP"];
    await this.#prepare(["send", "sms", ...merchant, ...message]);
  }

  async #prepare(argv: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await runMsgctl(argv, { cwd: this.cwd });
    if (exitCode !== 0) throw new Error(`msgctl ${argv.join(" ")} ended with ${exitCode}: ${stderr}`);
    return stdout;
  }

  /** Runs `msgctl ...argv` in a home. */
  run(argv: readonly string[], home: string): Promise<Ended> {
    const real = argv.map((word) => this.#real(word));
    return runMsgctl(real, { cwd: this.cwd, env: cleanEnvironment(home) });
  }

  /** Runs lines in bash, with msgctl and msgd on the PATH, up to the first that fails. */
  paste(lines: string, home: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const clean = cleanEnvironment(home);
    const path = `${join(this.cwd, "bin")}:${clean.PATH}`;
    return runMsgctl(["--norc", "-euo", "pipefail", "-c", this.#real(lines)], {
      cwd: this.cwd,
      program: ["bash"],
      // npx must use the installed packages, and never a registry
      env: { ...clean, PATH: path, npm_config_offline: "true", npm_config_update_notifier: "false", ...env },
    });
  }

  /** Creates a home folder, so that no example depends on the settings of another. */
  makeHome(profiles: Profiles = ["prod", "staging", "slow"]): string {
    const home = realpathSync(mkdtempSync(join(this.cwd, "home-")));
    const [current] = profiles;
    if (current === undefined) return home;
    const folder = join(home, ".config/msgctl");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const write = (name: string, value: object) =>
      writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 });
    const { apiKey, apiSecret } = this.#folder.demoCredential;
    const each = (value: object) => Object.fromEntries(profiles.map((profile) => [profile, value]));
    write("config.json", { current, profiles: each({ baseUrl: this.#baseUrl }) });
    write("credentials.json", each({ apiKey, apiSecret }));
    return home;
  }

  remove(): Promise<void> {
    return this.#folder.remove();
  }

  #real(text: string): string {
    return this.#values.reduce((real, [shown, value]) => real.replaceAll(shown, value), text);
  }
}
