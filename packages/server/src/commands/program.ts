// The words of `msgd`: commands, flags and help. What they do is handed in.

import { Command, Option } from "commander";
import type { ServeFlags } from "../config.ts";
import type { OutputFormat } from "./output.ts";

interface TenancyFlags {
  readonly data?: string;
  readonly output: OutputFormat;
}

type DataFlags = Pick<TenancyFlags, "data">;

export interface Actions {
  serve(flags: ServeFlags): Promise<void>;
  tenantsCreate(name: string, flags: TenancyFlags & { timezone: string; test?: boolean }): Promise<void>;
  tenantsList(flags: TenancyFlags): Promise<void>;
  keysList(flags: TenancyFlags & { tenant?: string }): Promise<void>;
  keysRotate(apiKey: string, flags: TenancyFlags & { overlap: string }): Promise<void>;
  keysRevoke(apiKey: string, flags: TenancyFlags): Promise<void>;
  callbacksSecret(flags: TenancyFlags & { tenant: string; rotate?: boolean; overlap: string }): Promise<void>;
  backup(file: string, flags: DataFlags): Promise<void>;
  restore(file: string, flags: DataFlags): Promise<void>;
  verify(flags: DataFlags): Promise<void>;
  migrate(flags: DataFlags): Promise<void>;
  provisioningImport(file: string, flags: TenancyFlags & { tenant: string }): Promise<void>;
  keysCreate(flags: TenancyFlags & { tenant: string; merchant?: string; live?: boolean }): Promise<void>;
}

const help = `
Examples:
  msgd serve --dev                                         try it out, with a demo tenant
  msgd tenants create "Acme" --timezone America/New_York   beside a running server or without
  msgd keys create --tenant 1

A flag wins over its variable (MSGD_…), which wins over the default.
Exit codes: 0 done, 1 failed, 2 used wrongly.`;

const serveHelp = `
MSGD_SECRET_KEY, which is no flag because a process list would show it: base64 of 32 bytes that seals SIP passwords and
callback secrets. Without it the data folder gets a key of its own.`;

/** The program, ready to be told its arguments. It throws a `CommanderError` for usage that it has reported. */
export function createProgram(version: string, actions: Actions): Command {
  const program = new Command("msgd")
    .description("Serves the whole merchant messaging contract on embedded SQLite.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("Run msgd --help, or msgd <command> --help, for what is allowed.")
    .showSuggestionAfterError()
    .helpCommand("help [command]", "print the help of a command")
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "msgd: ")) })
    .addHelpText("after", help)
    .exitOverride();

  program
    .command("serve")
    .description("run the server until it is stopped")
    .addOption(dataOption())
    .addOption(new Option("--host <address>", "address to listen on (MSGD_HOST, default 127.0.0.1)"))
    .addOption(new Option("--port <number>", "port to listen on; 0 takes a free one (MSGD_PORT, default 4800)"))
    .addOption(
      new Option(
        "--dev",
        "prepare a demo tenant and its credential, and let callbacks go to this machine; loopback only",
      ),
    )
    .addOption(
      new Option(
        "--consent-policy <policy>",
        "strict, or opt_out_only: refuse only who opted out (MSGD_CONSENT_POLICY, default strict)",
      ),
    )
    .addOption(
      new Option(
        "--registration <policy>",
        "open, or strict: unregistered SMS end UNDELIVERED (MSGD_REGISTRATION, default open)",
      ),
    )
    .addOption(
      new Option(
        "--idempotency-days <days>",
        "how long an Idempotency-Key is kept, 3 or more (MSGD_IDEMPOTENCY_DAYS, default 7)",
      ),
    )
    .addOption(
      new Option(
        "--directory-credential <form>",
        "a1-hash, or password for realms that need it clear (MSGD_DIRECTORY_CREDENTIAL, default a1-hash)",
      ),
    )
    .addOption(
      new Option(
        "--rate-limit <rate>",
        "requests a second of one credential, and how many at once: 50:200, or off (MSGD_RATE_LIMIT, default off)",
      ),
    )
    .addOption(
      new Option(
        "--metrics-hosts <names>",
        "names under which /metrics may be asked for, beside addresses and localhost (MSGD_METRICS_HOSTS, default none)",
      ),
    )
    .addOption(
      new Option(
        "--prices <list>",
        "micro-USD of sms, email, minute, character, and markup in percent (MSGD_PRICES, default sms=7900,email=100,minute=14000,character=16,markup=20)",
      ),
    )
    .addOption(
      new Option(
        "--largest-upgrade <cents>",
        "the most that one upgrade of a merchant's channel may cost (MSGD_LARGEST_UPGRADE, default 10000000)",
      ),
    )
    .addOption(
      new Option(
        "--allow-private-callbacks",
        "let callbacks go over http, and to this machine or its network: for development (MSGD_ALLOW_PRIVATE_CALLBACKS)",
      ),
    )
    .addOption(
      new Option("--log-level <level>", "trace to fatal, or silent; logs go to stderr (MSGD_LOG_LEVEL, default warn)"),
    )
    .addHelpText("after", serveHelp)
    .action((flags) => actions.serve(flags));

  const tenants = program
    .command("tenants")
    .description("add and list tenants: accounts that see nothing of each other");
  tenants
    .command("create")
    .description("add a tenant, with the merchant `default` for its direct sends")
    .argument("<name>", "what to call it, 1 to 200 characters, none of them a control character")
    .option("--timezone <IANA>", "where its months begin, such as America/New_York", "UTC")
    .option("--test", "a tenant to try things with: its keys say test; the carrier of both kinds is simulated")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((name, flags) => actions.tenantsCreate(name, flags));
  tenants
    .command("list")
    .description("show every tenant")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.tenantsList(flags));

  const keys = program
    .command("keys")
    .description("make, list and end credentials: a key and its secret, of a tenant or of one merchant");
  keys
    .command("create")
    .description("make a credential, live or test as its tenant is; its secret is shown this once")
    .requiredOption("--tenant <id>", "tenant that the credential belongs to")
    .option("--merchant <id>", "the only merchant it may act for")
    // it was a flag once, and is told in words where it went
    .addOption(new Option("--live", "a key is live or test as its tenant is").hideHelp())
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.keysCreate(flags));
  keys
    .command("list")
    .description("show every key: its owner, when it was made and used last, its state; never a secret")
    .option("--tenant <id>", "only this tenant's")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.keysList(flags));
  keys
    .command("rotate")
    .description("give a key a new secret, shown this once; two work at most, until the overlap is over")
    .argument("<key>", "the API key, mkt_… or mkm_…")
    .addOption(overlapOption())
    .addOption(dataOption())
    .addOption(outputOption())
    .action((apiKey, flags) => actions.keysRotate(apiKey, flags));
  keys
    .command("revoke")
    .description("end a key and its secrets for good, within a second, without a restart")
    .argument("<key>", "the API key, mkt_… or mkm_…")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((apiKey, flags) => actions.keysRevoke(apiKey, flags));

  program
    .command("callbacks")
    .description("what is posted to the callback URLs of TTS calls")
    .command("secret")
    .description("print the secret (whsec_…) that a tenant's receivers check signatures with")
    .requiredOption("--tenant <id>", "tenant that the callbacks belong to")
    .option("--rotate", "make a new one; the one before signs beside it until the overlap is over")
    .addOption(overlapOption())
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.callbacksSecret(flags));

  program
    .command("provisioning")
    .description("what a tenant's phones are set up with: hosts, SIP users, numbers, ring groups and menus")
    .command("import")
    .description(
      "put a JSON file, of the shape that `msgctl provisioning show -o json` prints, in the place of all of it",
    )
    .argument("<file>", "the JSON file; passwords are sealed with MSGD_SECRET_KEY, else with the data folder's own key")
    .requiredOption("--tenant <id>", "tenant that the file is for")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((file, flags) => actions.provisioningImport(file, flags));

  program
    .command("backup")
    .description("copy the database to a new file, beside a running server or without")
    .argument("<file>", "where to; a file that exists is not written over")
    .addOption(dataOption())
    .action((file, flags) => actions.backup(file, flags));
  program
    .command("restore")
    .description(
      "put a backup in the place of the database, which is kept under another name; the server must be stopped",
    )
    .argument("<file>", "a file that msgd backup made")
    .addOption(dataOption())
    .action((file, flags) => actions.restore(file, flags));
  program
    .command("verify")
    .description("check the database and what must hold of the data; exits 1 where something does not")
    .addOption(dataOption())
    .action((flags) => actions.verify(flags));
  program
    .command("migrate")
    .description("bring the tables up to this version; serve does so too when it starts")
    .addOption(dataOption())
    .action((flags) => actions.migrate(flags));

  return program;
}

function dataOption(): Option {
  return new Option("--data <folder>", "folder that holds all data (MSGD_DATA, default .msgd)");
}

function overlapOption(): Option {
  return new Option("--overlap <time>", "how long the one before stays valid: 0, or such as 30m, 24h, 7d").default(
    "24h",
  );
}

function outputOption(): Option {
  return new Option("-o, --output <format>", "text or json").choices(["text", "json"]).default("text");
}
