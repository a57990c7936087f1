// The command line of `msgd`: commands, flags, help and actions. Code that only some commands need is loaded by those
// commands.

import { Argument, Command, Option } from "commander";
import { carriedChannels, kinds } from "../carriers/kinds.ts";
import { processorKinds } from "../carriers/processor-kinds.ts";
import { registrationKinds } from "../domain/registration/progress.ts";
import { listStates } from "../domain/transitions.ts";
import { tenantRoles } from "../domain/users/rules.ts";
import type { ServeFlags } from "../settings/config.ts";
import { describeSetting, type Setting } from "../settings/setting.ts";
import { settings } from "../settings/settings.ts";
import { runBackup, runRestore, runRestoreMark, runVerify } from "./backup.ts";
import {
  runCallbacksList,
  runCallbacksRemove,
  runCallbacksSet,
  runCallbacksShow,
  runCallbacksTest,
} from "./callbacks.ts";
import { runMigrate } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { runKeysList, runKeysRevoke, runKeysRotate } from "./keys.ts";
import { runPaymentsList, runPaymentsSettle, runPaymentsShow } from "./payments.ts";
import { runProvisioningImport } from "./provisioning.ts";
import { runRegistrationsList, runRegistrationsReview } from "./registrations.ts";
import { runCallbacksSecret, runSecretsReseal } from "./secrets.ts";
import {
  runKeysCreate,
  runTenantsCreate,
  runTenantsDisable,
  runTenantsEnable,
  runTenantsLimit,
  runTenantsList,
  runTenantsSecondFactor,
  runTenantsTextHours,
} from "./tenants.ts";
import { runTransfer } from "./transfer.ts";
import { runUsersCreate, runUsersDisable, runUsersList, runUsersReset } from "./users.ts";

/** Ports of the program. */
export interface ProgramOptions {
  readonly environment: CommandEnvironment;
  readonly serve: (flags: ServeFlags & DataFlags) => Promise<void>;
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
  .map(({ variable, help, note, shownDefault }) => `\n${variable}: ${help}.\n${note} Default: ${shownDefault}.`)
  .join("\n");

const messagesHelp = `
Words that begin with - come after --:
  msgd messages list --tenant 1 -- to:+12025550100 -type:otp after:7d`;

const cancelHelp = `
Only messages accepted before the command began are canceled. Messages that a carrier has got by then are only counted.

Examples:
  msgd messages cancel --tenant 1 --search "channel:sms after:30m" --reason "a loop at the shop" --by Ann
  msgd messages cancel --tenant 1 --search "channel:sms after:30m" --reason "a loop at the shop" --by Ann --yes`;

const settleHelp = `
Examples:
  msgd messages settle delivered msg_01KJQH7VR0Q7H3N5S9VYB1DFGT --reason "ticket 7781" --by Ann
  msgd messages list --tenant 1 -o json -- status:unknown | jq -r '.[].messageId' |
    xargs msgd messages settle failed --reason "ticket 7781" --by Ann

Each message is settled separately. If some cannot be settled, they are listed at the end, and the exit code is 1.`;

const carriersHelp = `
Minimal files for --file:
${kinds.map(({ title, example }) => `  ${title}:\n    ${toOneLine(example)}`).join("\n")}`;

const processorsHelp = `
Minimal files for --file:
${processorKinds.map(({ title, example }) => `  ${title}:\n    ${toOneLine(example)}`).join("\n")}`;

/** Writes JSON with a space after each comma and colon. */
function toOneLine(document: object): string {
  return JSON.stringify(document, null, 1).replaceAll(/\n */g, " ");
}

const registrationsHelp = `
An approved brand is VERIFIED, unless its tenant said otherwise; an approved campaign ACTIVE, an approved number ASSIGNED.

Examples:
  msgd registrations review brand 301 approved --by Ann
  msgd registrations review campaign 401 rejected --by Ann --code 803 --reason "The website has no privacy policy."`;

const callbacksHelp = `
Calls have a callbackUrl in each request instead. A URL of this machine or its network needs --allow-private-callbacks,
also at the server (which with --dev may post to this machine anyway).

Examples:
  msgd callbacks set --tenant 1 --url https://shop.example/events
  msgd callbacks set --tenant 1 --url https://shop.example/texts --events message.received`;

const transferHelp = `
It needs MSGD_SECRET_KEY, and has no reverse. The folder stays unchanged, and msgd serve refuses it from then on.

Examples:
  msgd transfer --from .msgd --to postgres
  msgd transfer --from .msgd --to postgres://msgd@db.example:5432/msgd`;

/** Creates the program, ready to parse arguments. For wrong usage it prints the error and throws a `CommanderError`. */
export function createProgram(version: string, { environment, serve }: ProgramOptions): Command {
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

  const server = program.command("serve").description("run the server until it is stopped");
  for (const setting of Object.values<Setting<unknown>>(settings)) {
    if (setting.flag !== undefined) server.addOption(toOption(setting));
  }
  server.addHelpText("after", serveHelp).action(serve);

  const tenants = program
    .command("tenants")
    .description("add, list, disable, limit and secure tenants: accounts that are isolated from each other");
  tenants
    .command("create")
    .description("add a tenant, with the merchant `default` for its direct sends")
    .argument("<name>", "its name: 1 to 200 characters, no control characters")
    .option("--timezone <IANA>", "time zone in which its months begin, such as America/New_York", "UTC")
    .option("--test", "create a test tenant: its keys say test, and everything it does is simulated")
    .action((name, flags) => runTenantsCreate(name, flags, environment));
  tenants
    .command("list")
    .description("show every tenant: its state, keys, carriers, recent sends and backlog")
    .action((flags) => runTenantsList(flags, environment));

  tenants
    .command("disable")
    .description("refuse a tenant's requests and sign-ins, and hold back its messages, until it is enabled")
    .argument("<id>", "the tenant's number")
    .requiredOption("--reason <text>", "the reason; stored with the tenant and in the audit")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action((id, flags) => runTenantsDisable(id, flags, environment));
  tenants
    .command("enable")
    .description("enable a disabled tenant: its waiting messages are sent")
    .argument("<id>", "the tenant's number")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action((id, flags) => runTenantsEnable(id, flags, environment));
  tenants
    .command("limit")
    .description("give a tenant its own rate limit, shared by all its credentials, instead of --rate-limit")
    .argument("<id>", "the tenant's number")
    .option("--rate <rate>", "requests a second, and the burst: 50:100")
    .option("--none", "use the server's rate again")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action((id, flags) => runTenantsLimit(id, flags, environment));
  tenants
    .command("second-factor")
    .description("require a second factor of a tenant's users: without one, they can only set one up")
    .argument("<id>", "the tenant's number")
    .addArgument(new Argument("<policy>", "whether users must have one").choices(["optional", "required"]))
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action((id, policy, flags) => runTenantsSecondFactor(id, policy, flags, environment));

  tenants
    .command("text-hours")
    .description("hold a tenant's MARKETING texts to hours of the recipient's day; outside them, they wait")
    .argument("<id>", "the tenant's number")
    .argument("<hours>", "local time, such as 08:00-20:00, or off")
    .option("--to <beginning>", "only texts to numbers that begin with this, such as +1")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action((id, hours, flags) => runTenantsTextHours(id, hours, flags, environment));

  const keys = program
    .command("keys")
    .description("make, list and end credentials: a key and its secret, of a tenant or of one merchant");
  keys
    .command("create")
    .description("make a credential, live or test like its tenant; its secret is shown only once")
    .requiredOption("--tenant <id>", "tenant that the credential belongs to")
    .option("--merchant <id>", "limit it to this merchant")
    .option("--name <name>", "its name, and with serve --dev the project label of its requests")
    .action((flags) => runKeysCreate(flags, environment));
  keys
    .command("list")
    .description("show every key: its owner, age, last use and state; never a secret")
    .option("--tenant <id>", "only this tenant's")
    .action((flags) => runKeysList(flags, environment));
  keys
    .command("rotate")
    .description("give a key a new secret, shown only once; the previous one works until the overlap ends")
    .argument("<key>", "the API key, mkt_… or mkm_…")
    .addOption(overlapOption())
    .action((apiKey, flags) => runKeysRotate(apiKey, flags, environment));
  keys
    .command("revoke")
    .description("revoke a key for good, within a second, without a restart")
    .argument("<key>", "the API key, mkt_… or mkm_…")
    .action((apiKey, flags) => runKeysRevoke(apiKey, flags, environment));

  const messages = program
    .command("messages")
    .description("search a tenant's SMS, calls and emails, as in the dashboard, without a browser");
  messages
    .command("list")
    .description("show the results of a search, the newest first")
    .argument("[search...]", "such as to:+1202 status:failed after:7d (docs/dashboard.md); without one, all")
    .addHelpText("after", messagesHelp)
    .requiredOption("--tenant <id>", "tenant whose messages are searched")
    .option("--merchant <id>", "only those of this merchant")
    .option("--limit <number>", "the most to show, up to 10000", "50")
    .action(async (words, flags) => (await import("./messages.ts")).runMessagesList(words, flags, environment));
  messages
    .command("cancel")
    .description("cancel waiting messages, even while a server runs: they end CANCELED, uncharged")
    .addHelpText("after", cancelHelp)
    .requiredOption("--tenant <id>", "tenant whose messages are canceled")
    .requiredOption("--search <search>", "the messages, as in messages list; status:queued finds all that wait")
    .requiredOption("--reason <text>", "the reason; stored in the audit and with each message, whose tenant sees it")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .option("--merchant <id>", "only those of this merchant")
    .option("--yes", "cancel them; without it they are only counted")
    .action(async (flags) => (await import("./messages.ts")).runMessagesCancel(flags, environment));
  messages
    .command("settle")
    .description("record what a carrier says about messages that ended UNKNOWN, or are SENT without a receipt")
    .addHelpText("after", settleHelp)
    .argument("<outcome>", "delivered, undelivered, or failed; failed means never accepted, so the charge is reversed")
    .argument("<messageId...>", "the messages, msg_…")
    .requiredOption("--reason <text>", "the evidence; stored in the audit and with each message, whose tenant sees it")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action(async (outcome, messageIds, flags) =>
      (await import("./messages.ts")).runMessagesSettle({ outcome, messageIds }, flags, environment),
    );
  messages
    .command("show")
    .description("show all stored data of a message")
    .argument("<messageId>", "its id, msg_…")
    .requiredOption("--tenant <id>", "tenant that it belongs to")
    .option("--merchant <id>", "only if it belongs to this merchant")
    .action(async (messageId, flags) => (await import("./messages.ts")).runMessagesShow(messageId, flags, environment));

  const recipients = program.command("recipients").description("the stored data of a recipient of messages");
  const addRecipientCommand = (name: string, description: string) =>
    recipients
      .command(name)
      .description(description)
      .argument("<contact>", "a phone number such as +12025550100, or an email address")
      .requiredOption("--tenant <id>", "tenant that has sent to them")
      .option("--merchant <id>", "only data of this merchant");
  addRecipientCommand(
    "show",
    "show a recipient's consent decisions, for each merchant and channel, with their history",
  ).action(async (contact, flags) => (await import("./recipients.ts")).runRecipientsShow(contact, flags, environment));
  addRecipientCommand(
    "export",
    "print all stored data of a recipient, with every message, as one JSON object: to answer a request for it",
  ).action(async (contact, flags) =>
    (await import("./recipients.ts")).runRecipientsExport(contact, flags, environment),
  );
  addRecipientCommand("erase", "delete a recipient's identity and the contents of messages to them, for good")
    .option("--yes", "erase the recipient; this cannot be undone")
    .action(async (contact, flags) =>
      (await import("./recipients.ts")).runRecipientsErase(contact, flags, environment),
    );

  recipients
    .command("unsuppress")
    .description("send to a recipient again whose messages end FAILED because earlier ones bounced")
    .argument("<contact>", "a phone number such as +12025550100, or an email address")
    .requiredOption("--tenant <id>", "tenant that has sent to them")
    .action(async (contact, flags) =>
      (await import("./recipients.ts")).runRecipientsUnsuppress(contact, flags, environment),
    );

  const carriers = program
    .command("carriers")
    .description(
      "the carriers of a tenant's emails, SMS and calls: without one, messages wait; a test tenant's are simulated",
    );
  carriers
    .command("set")
    .description("set a tenant's carrier of a channel, or replace it; a running server uses it within a second")
    .requiredOption("--tenant <id>", "its tenant, or all: every live tenant without its own")
    .addOption(channelOption())
    .option("--second", "set a second one, used while the first cannot be reached")
    .option("--file <file>", "JSON file that describes it (docs/carriers.md), or - for standard input")
    .option("--simulated", "instead of a file: the simulated carrier, which sends nothing but charges like a real one")
    .addHelpText("after", carriersHelp)
    .action(async (flags) => (await import("./carriers.ts")).runCarriersSet(flags, environment));
  carriers
    .command("list")
    .description("show the carriers in use; never their settings")
    .option("--tenant <id>", "only this tenant's; all: only those of every tenant")
    .action(async (flags) => (await import("./carriers.ts")).runCarriersList(flags, environment));
  carriers
    .command("show")
    .description("show the settings of a carrier; for secrets only that they are set")
    .requiredOption("--tenant <id>", "its tenant, or all")
    .addOption(channelOption())
    .option("--second", "the second one")
    .action(async (flags) => (await import("./carriers.ts")).runCarriersShow(flags, environment));
  carriers
    .command("test")
    .description("send one message through a running server, free of quota and charge, and follow it")
    .requiredOption("--tenant <id>", "the live tenant that sends it")
    .addOption(channelOption())
    .option("--second", "use the second carrier")
    .requiredOption("--to <contact>", "the recipient: yourself")
    .option("--wait <time>", "time to follow it, such as 0s, 30s or 5m", "30s")
    .action(async (flags) => (await import("./carrier-test.ts")).runCarriersTest(flags, environment));
  carriers
    .command("remove")
    .description("remove a carrier: its waiting messages go on waiting, or go to the carrier of all tenants")
    .requiredOption("--tenant <id>", "its tenant, or all")
    .addOption(channelOption())
    .option("--second", "the second one")
    .option("--discard", "end waiting messages, FAILED and uncharged; even if the carrier was removed before")
    .action(async (flags) => (await import("./carriers.ts")).runCarriersRemove(flags, environment));

  const users = program.command("users").description("users of the dashboard: make, list, disable, or reset them");
  users
    .command("create")
    .description("make a user, and print a link to set a password, shown only once")
    .option("--tenant <id>", "tenant that the user belongs to")
    .option("--operator", "make an operator instead, who sees the server's state and counts of all tenants")
    .option("--merchant <id>", "limit the user to this merchant")
    .requiredOption("--email <address>", "address to sign in with, unique in the installation")
    .addOption(
      new Option(
        "--role <role>",
        "viewer (the default) reads; auditor also reads the audit; agent also records consent; admin does everything",
      ).choices(tenantRoles),
    )
    .action((flags) => runUsersCreate(flags, environment));
  users
    .command("list")
    .description("show every user, their role, state and last sign-in")
    .option("--tenant <id>", "only this tenant's")
    .action((flags) => runUsersList(flags, environment));
  users
    .command("disable")
    .description("end a user's sessions within a second, and refuse their sign-ins")
    .argument("<email>", "the user's address")
    .action((email, flags) => runUsersDisable(email, flags, environment));
  users
    .command("reset")
    .description("end a user's password, second factor and sessions, and print a new link; enables a disabled user")
    .argument("<email>", "the user's address")
    .action((email, flags) => runUsersReset(email, flags, environment));

  program
    .command("texts")
    .description("texts from phones to numbers that belong to no carrier or merchant of this installation")
    .command("list")
    .description(
      "show the texts of the last 90 days, the newest first; a STOP among them has no effect until you record it",
    )
    .option("--limit <number>", "the most to show, up to 10000", "50")
    .action(async (flags) => (await import("./texts.ts")).runTextsList(flags, environment));

  const payments = program
    .command("payments")
    .description("payments of tenants' merchants: list those that wait for the operator, show one, record outcomes");
  payments
    .command("list")
    .description("show the payments that wait for the operator, the oldest first")
    .option("--tenant <id>", "only this tenant's")
    .addOption(
      new Option("--status <status>", "show all payments with this status instead, including test tenants'").choices(
        listStates("payment"),
      ),
    )
    .action((flags) => runPaymentsList(flags, environment));
  payments
    .command("show")
    .description("show a payment: what its processor knows, and where its customer can authenticate it")
    .argument("<paymentId>", "its id, pay_…")
    .action((paymentId, flags) => runPaymentsShow(paymentId, flags, environment));
  payments
    .command("settle")
    .description("record the outcome of a payment: succeeded adds its units to the merchant's credits, once")
    .argument("<paymentId>", "its id, pay_…")
    .argument("<outcome>", "succeeded or failed; final")
    .requiredOption("--reference <text>", "the evidence, such as the number of a transfer; stored with the payment")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .action((paymentId, outcome, flags) => runPaymentsSettle({ paymentId, outcome }, flags, environment));

  const processors = program
    .command("processors")
    .description(
      "payment processors of live tenants: without one, payments wait for the operator; a test tenant's are simulated",
    );
  processors
    .command("set")
    .description("set a tenant's processor, or replace it; payments accepted before are not charged")
    .requiredOption("--tenant <id>", "its tenant, or all: every live tenant without its own")
    .requiredOption("--file <file>", "JSON file that describes it (docs/operations.md), or - for standard input")
    .addHelpText("after", processorsHelp)
    .action(async (flags) => (await import("./processors.ts")).runProcessorsSet(flags, environment));
  processors
    .command("show")
    .description("show the settings of a processor; for secrets only that they are set")
    .requiredOption("--tenant <id>", "its tenant, or all")
    .action(async (flags) => (await import("./processors.ts")).runProcessorsShow(flags, environment));
  processors
    .command("test")
    .description("test the key and the webhook of a processor, and charge nothing; needs a running server")
    .requiredOption("--tenant <id>", "its tenant, or all")
    .action(async (flags) => (await import("./processors.ts")).runProcessorsTest(flags, environment));
  processors
    .command("remove")
    .description("remove a processor: its open payments are left to the operator")
    .requiredOption("--tenant <id>", "its tenant, or all")
    .action(async (flags) => (await import("./processors.ts")).runProcessorsRemove(flags, environment));

  const registrations = program
    .command("registrations")
    .description(
      "brands, campaigns and numbers of live tenants: list those that wait, record decisions made elsewhere",
    );
  registrations
    .command("list")
    .description("show the registrations that wait for a decision, the oldest first")
    .option("--tenant <id>", "only this tenant's")
    .action((flags) => runRegistrationsList(flags, environment));
  registrations
    .command("review")
    .description("record a decision of the registry or the carriers")
    .addArgument(new Argument("<kind>", "the kind of object").choices(registrationKinds))
    .argument("<id>", "its number, as listed")
    .argument("<decision>", "approved or rejected")
    .requiredOption("--by <name>", "your name; stored in the audit")
    .option("--reason <text>", "reason of a rejection; a campaign's merchant sees it")
    .option("--code <code>", "code of a campaign's rejection, from the registry")
    .addHelpText("after", registrationsHelp)
    .action((kind, id, decision, flags) => runRegistrationsReview({ kind, id, decision }, flags, environment));

  const callbacks = program
    .command("callbacks")
    .description("the URL to which a tenant's events of messages are posted, and the secret that signs all callbacks");
  callbacks
    .command("set")
    .description("set the tenant's URL for events of messages, or replace it; a running server uses it at once")
    .requiredOption("--tenant <id>", "tenant whose events are posted")
    .requiredOption("--url <url>", "the https URL that events are posted to")
    .option("--events <types>", "message.updated or message.received; without it, both")
    .addOption(toOption(settings.allowPrivateCallbacks))
    .addHelpText("after", callbacksHelp)
    .action((flags) => runCallbacksSet(flags, environment));
  callbacks
    .command("show")
    .description("show the tenant's URL for events of messages")
    .requiredOption("--tenant <id>", "tenant whose events are posted")
    .action((flags) => runCallbacksShow(flags, environment));
  callbacks
    .command("list")
    .description("show the URLs of all tenants")
    .action((flags) => runCallbacksList(flags, environment));
  callbacks
    .command("remove")
    .description("post no more events of the tenant's messages; callbacks that are queued are still posted")
    .requiredOption("--tenant <id>", "tenant whose events were posted")
    .action((flags) => runCallbacksRemove(flags, environment));
  callbacks
    .command("test")
    .description("post a signed event of type callbacks.test to the tenant's URL from here, and print the outcome")
    .requiredOption("--tenant <id>", "tenant whose URL is tested")
    .addOption(toOption(settings.allowPrivateCallbacks))
    .action((flags) => runCallbacksTest(flags, environment));
  callbacks
    .command("secret")
    .description("print the secret (whsec_…) that a tenant's receivers check signatures with")
    .requiredOption("--tenant <id>", "tenant that the callbacks belong to")
    .option("--rotate", "make a new one; callbacks are also signed with the previous one until the overlap ends")
    .addOption(overlapOption())
    .action((flags) => runCallbacksSecret(flags, environment));

  program
    .command("provisioning")
    .description("provisioning of a tenant's phones: hosts, SIP users, numbers, ring groups and menus")
    .command("import")
    .description("replace all of it with a JSON file, in the form that `msgctl provisioning show -o json` prints")
    .argument("<file>", "the JSON file; passwords are sealed with MSGD_SECRET_KEY, else with the data folder's own key")
    .requiredOption("--tenant <id>", "tenant that the file is for")
    .action((file, flags) => runProvisioningImport(file, flags, environment));

  program
    .command("secrets")
    .description("secrets that are sealed with MSGD_SECRET_KEY")
    .command("reseal")
    .description(
      "reseal everything with the first key of MSGD_SECRET_KEY, even while servers run; the other keys only open secrets",
    )
    .action((flags) => runSecretsReseal(flags, environment));

  program
    .command("backup")
    .description("copy the database to a new file, even while a server runs")
    .argument("<file>", "the new file; an existing file is not overwritten")
    .addOption(dataOption())
    .action((file, flags) => runBackup(file, flags, environment));
  program
    .command("restore")
    .description("replace the database by a backup; the old one is kept under another name; the server must be stopped")
    .argument("[file]", "a file that msgd backup made")
    .option(
      "--mark",
      "instead of a file: in a database restored by other means, mark all waiting work, so that carriers are asked first",
    )
    .addOption(dataOption())
    .action((file, flags, command) => {
      if ((file === undefined) !== (flags.mark === true))
        command.error("error: expected <file> or --mark, one of them");
      return flags.mark === true ? runRestoreMark(flags, environment) : runRestore(file, flags, environment);
    });
  program
    .command("verify")
    .description("check the database and the invariants of its data; exits 1 if one does not hold")
    .addOption(dataOption())
    .action((flags) => runVerify(flags, environment));
  program
    .command("migrate")
    .description("migrate the tables to this version; serve also does this when it starts")
    .addOption(dataOption())
    .action((flags) => runMigrate(flags, environment));
  program
    .command("transfer")
    .description("copy a stopped installation from its data folder to PostgreSQL, and compare every row")
    .requiredOption("--from <folder>", "the data folder")
    .requiredOption(
      "--to <database>",
      "postgres, the empty database that DATABASE_URL names, or a URL without a password",
    )
    .addHelpText("after", transferHelp)
    .action((flags) => runTransfer(flags, environment));

  for (const command of program.commands.flatMap(({ commands }) => commands)) {
    command.addOption(dataOption());
    // `export` prints only JSON
    if (command.name() !== "export") command.addOption(outputOption());
  }
  return program;
}

function toOption(setting: Setting<unknown>): Option {
  return new Option(setting.flag ?? "", describeSetting(setting));
}

function dataOption(): Option {
  return toOption(settings.data);
}

function channelOption(): Option {
  return new Option("--channel <channel>", "its channel").choices(carriedChannels).makeOptionMandatory();
}

function overlapOption(): Option {
  return new Option(
    "--overlap <time>",
    "how long the previous one stays valid: 0, or a time such as 30m, 24h or 7d",
  ).default("24h");
}

function outputOption(): Option {
  return new Option("-o, --output <format>", "text or json").choices(["text", "json"]).default("text");
}
