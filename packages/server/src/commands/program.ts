// The command line of `msgd`: commands, flags and help. The actions are passed in.

import { Argument, Command, Option } from "commander";
import { carrierKinds } from "../rules/carrier-settings.ts";
import { roles } from "../rules/roles.ts";
import { listStates, type PaymentStatus } from "../rules/transitions.ts";
import type { ServeFlags } from "../settings/config.ts";
import { describeSetting, type Setting } from "../settings/setting.ts";
import { settings } from "../settings/settings.ts";
import { type RegistrationKind, registrationKinds } from "../steps/registration-decisions.ts";
import type { CarrierFlags } from "./carriers.ts";
import type { DataFlags } from "./environment.ts";
import type { CancelFlags } from "./message-cancel.ts";
import type { SettleFlags } from "./message-settle.ts";
import type { MessagesFlags } from "./messages.ts";
import type { OutputFormat } from "./output.ts";
import type { ReviewFlags } from "./registrations.ts";
import type { TransferFlags } from "./transfer.ts";

interface TenancyFlags extends DataFlags {
  readonly output: OutputFormat;
}

export interface Actions {
  serve(flags: ServeFlags & DataFlags): Promise<void>;
  tenantsCreate(name: string, flags: TenancyFlags & { timezone: string; test?: boolean }): Promise<void>;
  tenantsList(flags: TenancyFlags): Promise<void>;
  tenantsDisable(id: string, flags: TenancyFlags & { reason: string; by: string }): Promise<void>;
  tenantsEnable(id: string, flags: TenancyFlags & { by: string }): Promise<void>;
  tenantsLimit(id: string, flags: TenancyFlags & { rate?: string; none?: boolean; by: string }): Promise<void>;
  keysList(flags: TenancyFlags & { tenant?: string }): Promise<void>;
  keysRotate(apiKey: string, flags: TenancyFlags & { overlap: string }): Promise<void>;
  keysRevoke(apiKey: string, flags: TenancyFlags): Promise<void>;
  callbacksSecret(flags: TenancyFlags & { tenant: string; rotate?: boolean; overlap: string }): Promise<void>;
  secretsReseal(flags: TenancyFlags): Promise<void>;
  backup(file: string, flags: DataFlags): Promise<void>;
  restore(file: string, flags: DataFlags): Promise<void>;
  restoreMark(flags: DataFlags): Promise<void>;
  verify(flags: DataFlags): Promise<void>;
  migrate(flags: DataFlags): Promise<void>;
  transfer(flags: TransferFlags): Promise<void>;
  provisioningImport(file: string, flags: TenancyFlags & { tenant: string }): Promise<void>;
  keysCreate(flags: TenancyFlags & { tenant: string; merchant?: string; name?: string }): Promise<void>;
  messagesList(words: string[], flags: MessagesFlags & { limit: string }): Promise<void>;
  messagesCancel(flags: CancelFlags): Promise<void>;
  messagesSettle(settled: { outcome: string; messageIds: readonly string[] }, flags: SettleFlags): Promise<void>;
  messagesShow(messageId: string, flags: MessagesFlags): Promise<void>;
  recipientsShow(contact: string, flags: MessagesFlags): Promise<void>;
  recipientsExport(contact: string, flags: Omit<MessagesFlags, "output">): Promise<void>;
  recipientsErase(contact: string, flags: MessagesFlags & { yes?: boolean }): Promise<void>;
  carriersSet(flags: CarrierFlags & { file?: string; simulated?: boolean }): Promise<void>;
  carriersList(flags: TenancyFlags & { tenant?: string }): Promise<void>;
  carriersShow(flags: CarrierFlags): Promise<void>;
  carriersTest(flags: CarrierFlags & { to: string; wait: string }): Promise<void>;
  carriersRemove(flags: CarrierFlags & { discard?: boolean }): Promise<void>;
  usersCreate(flags: TenancyFlags & { tenant: string; merchant?: string; email: string; role: string }): Promise<void>;
  usersList(flags: TenancyFlags & { tenant?: string }): Promise<void>;
  usersDisable(email: string, flags: TenancyFlags): Promise<void>;
  usersReset(email: string, flags: TenancyFlags): Promise<void>;
  paymentsList(flags: TenancyFlags & { tenant?: string; status?: PaymentStatus }): Promise<void>;
  paymentsSettle(
    settlement: { paymentId: string; outcome: string },
    flags: TenancyFlags & { reference: string; by: string },
  ): Promise<void>;
  textsList(flags: TenancyFlags & { limit: string }): Promise<void>;
  registrationsList(flags: TenancyFlags & { tenant?: string }): Promise<void>;
  registrationsReview(
    asked: { kind: RegistrationKind; id: string; decision: string },
    flags: ReviewFlags,
  ): Promise<void>;
}

const help = `
Examples:
  msgd serve --dev                                         try it out, with a demo tenant
  msgd tenants create "Acme" --timezone America/New_York   beside a running server or without
  msgd keys create --tenant 1

A flag wins over its variable (MSGD_…), which wins over the default. With DATABASE_URL=postgres://… every command works
on that database.
Exit codes: 0 done, 1 failed, 2 used wrongly.`;

const serveHelp = [settings.databaseUrl, settings.searchFolder, settings.secretKeys]
  .map(({ variable, help, note, shownDefault }) => `\n${variable}: ${help};\n${note}. Default: ${shownDefault}.`)
  .join("\n");

const messagesHelp = `
Words that begin with - come after --:
  msgd messages list --tenant 1 -- to:+12025550100 -type:otp after:7d`;

const cancelHelp = `
What has been handed over meanwhile is not touched, and is counted. Only what was accepted before the command began is canceled.

Examples:
  msgd messages cancel --tenant 1 --search "channel:sms after:30m" --reason "a loop at the shop" --by Ann
  msgd messages cancel --tenant 1 --search "channel:sms after:30m" --reason "a loop at the shop" --by Ann --yes`;

const settleHelp = `
Examples:
  msgd messages settle delivered msg_01KJQH7VR0Q7H3N5S9VYB1DFGT --reason "ticket 7781" --by Ann
  msgd messages list --tenant 1 -o json -- status:unknown | jq -r '.[].messageId' |
    xargs msgd messages settle failed --reason "ticket 7781" --by Ann

Each is settled by itself; those that cannot be are named at the end, with exit code 1.`;

const carriersHelp = `
A mail server, a carrier of texts, a FreeSWITCH that places calls:
  { "kind": "smtp", "host": "smtp.acme.example", "user": "acme", "password": "…", "from": "Acme <no-reply@acme.example>" }
  { "kind": "smpp", "host": "smsc.example", "port": 2775, "systemId": "acme", "password": "…", "sender": "+12025550199" }
  { "kind": "freeswitch", "host": "127.0.0.1", "password": "…", "gateway": "carrier", "callerId": "+12025550199" }`;

const registrationsHelp = `
An approved brand is VERIFIED, unless its tenant said otherwise; an approved campaign ACTIVE, an approved number ASSIGNED.

Examples:
  msgd registrations review brand 301 approved --by Ann
  msgd registrations review campaign 401 rejected --by Ann --code 803 --reason "The website has no privacy policy."`;

const transferHelp = `
It needs MSGD_SECRET_KEY, and goes in this direction alone. The folder is left as it was, and refuses to serve from then on.

Examples:
  msgd transfer --from .msgd --to postgres
  msgd transfer --from .msgd --to postgres://msgd@db.example:5432/msgd`;

/** Creates the program, ready to parse arguments. It throws a `CommanderError` for wrong usage, already reported. */
export function createProgram(version: string, actions: Actions): Command {
  const program = new Command("msgd")
    .description("Serves the whole merchant messaging contract on embedded SQLite, or on PostgreSQL.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("Run msgd --help, or msgd <command> --help, for what is allowed.")
    .showSuggestionAfterError()
    .helpCommand("help [command]", "print the help of a command")
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "msgd: ")) })
    .addHelpText("after", help)
    .exitOverride();

  const serve = program.command("serve").description("run the server until it is stopped");
  for (const setting of Object.values<Setting<unknown>>(settings)) {
    if (setting.flag !== undefined) serve.addOption(toOption(setting));
  }
  serve.addHelpText("after", serveHelp).action((flags) => actions.serve(flags));

  const tenants = program
    .command("tenants")
    .description("add, list, disable and limit tenants: accounts that see nothing of each other");
  tenants
    .command("create")
    .description("add a tenant, with the merchant `default` for its direct sends")
    .argument("<name>", "what to call it, 1 to 200 characters, none of them a control character")
    .option("--timezone <IANA>", "where its months begin, such as America/New_York", "UTC")
    .option("--test", "a tenant to try things with: its keys say test, and all that it does is simulated")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((name, flags) => actions.tenantsCreate(name, flags));
  tenants
    .command("list")
    .description("show every tenant: its state, keys and carriers, what it sends now, and what waits")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.tenantsList(flags));

  tenants
    .command("disable")
    .description("refuse a tenant's requests and sign-ins, and hand over nothing of it, until it is enabled")
    .argument("<id>", "the tenant's number")
    .requiredOption("--reason <text>", "why; kept with the tenant and in the audit")
    .requiredOption("--by <name>", "who decides; kept in the audit")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((id, flags) => actions.tenantsDisable(id, flags));
  tenants
    .command("enable")
    .description("take back that a tenant was disabled: what waited goes on")
    .argument("<id>", "the tenant's number")
    .requiredOption("--by <name>", "who decides; kept in the audit")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((id, flags) => actions.tenantsEnable(id, flags));
  tenants
    .command("limit")
    .description("give a tenant a rate of its own, which all its credentials share, in place of --rate-limit")
    .argument("<id>", "the tenant's number")
    .option("--rate <rate>", "requests a second, and how many at once: 50:100")
    .option("--none", "the server's rate again")
    .requiredOption("--by <name>", "who decides; kept in the audit")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((id, flags) => actions.tenantsLimit(id, flags));

  const keys = program
    .command("keys")
    .description("make, list and end credentials: a key and its secret, of a tenant or of one merchant");
  keys
    .command("create")
    .description("make a credential, live or test as its tenant is; its secret is shown this once")
    .requiredOption("--tenant <id>", "tenant that the credential belongs to")
    .option("--merchant <id>", "the only merchant it may act for")
    .option("--name <name>", "what it is called, and with serve --dev the project of what is sent with it")
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

  const messages = program
    .command("messages")
    .description("what became of a tenant's SMS, calls and emails: the searches of the dashboard, without a browser");
  messages
    .command("list")
    .description("show what a search finds, the newest first")
    .argument("[search...]", "such as to:+1202 status:failed after:7d (docs/dashboard.md); without one, all")
    .addHelpText("after", messagesHelp)
    .requiredOption("--tenant <id>", "tenant whose messages are searched")
    .option("--merchant <id>", "only those of this merchant")
    .option("--limit <number>", "how many to show at most, to 10000", "50")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((words, flags) => actions.messagesList(words, flags));
  messages
    .command("cancel")
    .description("take what waits out of its queue, beside a running server: CANCELED, and nothing is charged")
    .addHelpText("after", cancelHelp)
    .requiredOption("--tenant <id>", "tenant whose messages are canceled")
    .requiredOption("--search <search>", "which, as in messages list; status:queued is all that waits")
    .requiredOption("--reason <text>", "why; kept in the audit and with each message, whose tenant sees it")
    .requiredOption("--by <name>", "who decides; kept in the audit")
    .option("--merchant <id>", "only those of this merchant")
    .option("--yes", "cancel them; without it they are counted, and nothing is changed")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.messagesCancel(flags));
  messages
    .command("settle")
    .description("record what a carrier said of messages that ended UNKNOWN, or are SENT without a receipt")
    .addHelpText("after", settleHelp)
    .argument("<outcome>", "delivered, undelivered, or failed: never taken, so its charge is taken back")
    .argument("<messageId...>", "the messages, msg_…")
    .requiredOption("--reason <text>", "what shows it; kept in the audit and with each message, whose tenant sees it")
    .requiredOption("--by <name>", "who says so; kept in the audit")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((outcome, messageIds, flags) => actions.messagesSettle({ outcome, messageIds }, flags));
  messages
    .command("show")
    .description("show all that is kept of one")
    .argument("<messageId>", "its id, msg_…")
    .requiredOption("--tenant <id>", "tenant that it belongs to")
    .option("--merchant <id>", "only if it is of this merchant")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((messageId, flags) => actions.messagesShow(messageId, flags));

  const recipients = program.command("recipients").description("what is kept of somebody whom messages were sent to");
  recipients
    .command("show")
    .description("show what they decided, for each merchant and channel, and how it came about")
    .argument("<contact>", "a phone number such as +12025550100, or an email address")
    .requiredOption("--tenant <id>", "tenant that has sent to them")
    .option("--merchant <id>", "only what is of this merchant")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((contact, flags) => actions.recipientsShow(contact, flags));
  recipients
    .command("export")
    .description("print all that is kept of them, every message too, as one JSON object: to answer whoever asks for it")
    .argument("<contact>", "a phone number such as +12025550100, or an email address")
    .requiredOption("--tenant <id>", "tenant that has sent to them")
    .option("--merchant <id>", "only what is of this merchant")
    .addOption(dataOption())
    .action((contact, flags) => actions.recipientsExport(contact, flags));

  recipients
    .command("erase")
    .description("take who they are and what was written to them out of all that is kept; for good")
    .argument("<contact>", "a phone number such as +12025550100, or an email address")
    .requiredOption("--tenant <id>", "tenant that has sent to them")
    .option("--merchant <id>", "only what is of this merchant")
    .option("--yes", "do it: it cannot be undone")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((contact, flags) => actions.recipientsErase(contact, flags));

  const carriers = program
    .command("carriers")
    .description("who carries a tenant's emails, SMS and calls: without one they wait; a test tenant's are simulated");
  carriers
    .command("set")
    .description("give a tenant a carrier for a channel, in place of the one before; a server takes it within a second")
    .requiredOption("--tenant <id>", "tenant that it carries for, or all: every live one without its own")
    .addOption(channelOption())
    .option("--second", "set a second one, for when the first cannot be reached")
    .option("--file <file>", "JSON file that describes it (docs/carriers.md), or - for standard input")
    .option("--simulated", "no file: the simulated carrier, which sends nothing, and charges as a real one")
    .addHelpText("after", carriersHelp)
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.carriersSet(flags));
  carriers
    .command("list")
    .description("show the carriers in use; never their settings")
    .option("--tenant <id>", "only this tenant's; all: only those of every tenant")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.carriersList(flags));
  carriers
    .command("show")
    .description("show how a carrier was set; of its secrets only that they are set")
    .requiredOption("--tenant <id>", "tenant that it carries for, or all")
    .addOption(channelOption())
    .option("--second", "the second one")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.carriersShow(flags));
  carriers
    .command("test")
    .description("send one message through a running server, free of quota and charge, and follow it")
    .requiredOption("--tenant <id>", "live tenant in whose name it is sent")
    .addOption(channelOption())
    .option("--second", "by the second one")
    .requiredOption("--to <contact>", "whom to: yourself")
    .option("--wait <time>", "how long to follow it: 0s, or such as 30s, 5m", "30s")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.carriersTest(flags));
  carriers
    .command("remove")
    .description("take a carrier away: what waits for it waits on, or is carried by that of all tenants")
    .requiredOption("--tenant <id>", "tenant that it carries for, or all")
    .addOption(channelOption())
    .option("--second", "the second one")
    .option("--discard", "end what waits, FAILED and uncharged; also where the carrier was removed before")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.carriersRemove(flags));

  const users = program
    .command("users")
    .description("people who sign in to the dashboard: make, list, disable, give another link");
  users
    .command("create")
    .description("make a user, who sets a password by the link, shown this once")
    .requiredOption("--tenant <id>", "tenant that the user belongs to")
    .option("--merchant <id>", "the only merchant that the user sees")
    .requiredOption("--email <address>", "signs in with it: one user's in the whole installation")
    .addOption(
      new Option("--role <role>", "viewer reads; agent records consent and sends as well; admin does everything")
        .choices(roles)
        .default("viewer"),
    )
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.usersCreate(flags));
  users
    .command("list")
    .description("show every user, their role, state and last sign-in")
    .option("--tenant <id>", "only this tenant's")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.usersList(flags));
  users
    .command("disable")
    .description("end a user's sessions within a second, and let them sign in no more")
    .argument("<email>", "the user's address")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((email, flags) => actions.usersDisable(email, flags));
  users
    .command("reset")
    .description("end a user's password and sessions, and print a new link; enables a disabled user")
    .argument("<email>", "the user's address")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((email, flags) => actions.usersReset(email, flags));

  program
    .command("texts")
    .description("texts of phones to numbers that no carrier or merchant here has")
    .command("list")
    .description("show those of the last 90 days, the newest first: a STOP among them opts nobody out by itself")
    .option("--limit <number>", "how many to show at most, to 10000", "50")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.textsList(flags));

  const payments = program
    .command("payments")
    .description(
      "what live tenants' merchants buy, as no processor is set up for it: see what waits, say how it ended",
    );
  payments
    .command("list")
    .description("show the payments that wait for you, the oldest first")
    .option("--tenant <id>", "only this tenant's")
    .addOption(
      new Option("--status <status>", "all in this status instead, test tenants' too").choices(listStates("payment")),
    )
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.paymentsList(flags));
  payments
    .command("settle")
    .description("say how a payment ended: succeeded adds its units to the merchant's credits, once")
    .argument("<paymentId>", "its id, pay_…")
    .argument("<outcome>", "succeeded or failed; final")
    .requiredOption("--reference <text>", "what shows it, such as the number of a transfer; kept with the payment")
    .requiredOption("--by <name>", "who says so; kept in the audit")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((paymentId, outcome, flags) => actions.paymentsSettle({ paymentId, outcome }, flags));

  const registrations = program
    .command("registrations")
    .description(
      "brands, campaigns and numbers of live tenants: see what waits, decide once it is registered elsewhere",
    );
  registrations
    .command("list")
    .description("show what waits for a decision, the oldest first")
    .option("--tenant <id>", "only this tenant's")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.registrationsList(flags));
  registrations
    .command("review")
    .description("record what the registry and the carriers decided")
    .addArgument(new Argument("<kind>", "what it is about").choices(registrationKinds))
    .argument("<id>", "its number, as the list has it")
    .argument("<decision>", "approved or rejected")
    .requiredOption("--by <name>", "who says so; kept in the audit")
    .option("--reason <text>", "why it was rejected; a campaign's merchant sees it")
    .option("--code <code>", "of a campaign's rejection, as the registry gives it")
    .addHelpText("after", registrationsHelp)
    .addOption(dataOption())
    .addOption(outputOption())
    .action((kind, id, decision, flags) => actions.registrationsReview({ kind, id, decision }, flags));

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
    .command("secrets")
    .description("what is sealed with MSGD_SECRET_KEY")
    .command("reseal")
    .description("seal everything with the first key of MSGD_SECRET_KEY, beside running servers; the others open it")
    .addOption(dataOption())
    .addOption(outputOption())
    .action((flags) => actions.secretsReseal(flags));

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
    .argument("[file]", "a file that msgd backup made")
    .option("--mark", "no file: only mark what waits in a database put back by other means, to be asked about")
    .addOption(dataOption())
    .action((file, flags, command) => {
      if ((file === undefined) !== (flags.mark === true))
        command.error("error: expected <file> or --mark, one of them");
      return flags.mark === true ? actions.restoreMark(flags) : actions.restore(file, flags);
    });
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
  program
    .command("transfer")
    .description("copy a stopped installation from its data folder to PostgreSQL, and compare every row")
    .requiredOption("--from <folder>", "the data folder")
    .requiredOption(
      "--to <database>",
      "postgres, the empty database that DATABASE_URL names, or a URL without a password",
    )
    .addHelpText("after", transferHelp)
    .action((flags) => actions.transfer(flags));

  return program;
}

function toOption(setting: Setting<unknown>): Option {
  return new Option(setting.flag ?? "", describeSetting(setting));
}

function dataOption(): Option {
  return toOption(settings.data);
}

function channelOption(): Option {
  return new Option("--channel <channel>", "what it carries").choices(Object.keys(carrierKinds)).makeOptionMandatory();
}

function overlapOption(): Option {
  return new Option("--overlap <time>", "how long the one before stays valid: 0, or such as 30m, 24h, 7d").default(
    "24h",
  );
}

function outputOption(): Option {
  return new Option("-o, --output <format>", "text or json").choices(["text", "json"]).default("text");
}
