// Every command of `msgd` is either recorded in an audit, or listed here with the reason why it is not.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertPayment } from "../domain/billing/rows.ts";
import { insertBrand } from "../domain/registration/rows.ts";
import { type RecordedCommand, recordedCommands } from "../domain/tenancy/operator-audit.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import type { Transaction } from "../store/store.ts";
import { writeBeside } from "../testing/command-environment.ts";
import { exampleProvisioning } from "../testing/provisioning-example.ts";
import { openReceiver, type Receiver } from "../testing/receivers.ts";
import { newBrand } from "../testing/registration.ts";
import { makeSentFolder, type SentFolder } from "../testing/sent-folder.ts";
import { createProgram } from "./program.ts";

/** They only read, and show neither a recipient's data nor a secret of callbacks; `docs/dashboard.md` excepts `messages`. */
const reading = [
  ...["callbacks list", "callbacks show", "carriers list", "carriers show", "keys list", "messages list"],
  ...["messages show", "payments list", "payments show", "processors show", "processors test"],
  ...["registrations list", "tenants list", "texts list", "users list", "verify"],
];
/** They work on the database as a whole, and change nothing that it says about a tenant. */
const wholesale = ["backup", "migrate", "serve", "transfer"];

const RECIPIENT = "+12025550100";
const tenant = ["--tenant", "1"];
const by = ["--by", "Ann"];

let folder: SentFolder;
let receiver: Receiver;
beforeAll(async () => {
  folder = await makeSentFolder(["One", "Two"], RECIPIENT);
  receiver = await openReceiver((response) => response.writeHead(204).end());
});
afterAll(async () => {
  await receiver.close();
  folder.remove();
});

async function run(...words: string[]): Promise<string> {
  folder.printed.out = "";
  const program = createProgram("1.2.3", { environment: folder.environment, serve: async () => {} });
  await program.parseAsync(words, { from: "user" });
  return folder.printed.out;
}

const write = <T>(work: (tx: Transaction) => Promise<T>) => writeBeside(folder.environment, work);

function file(name: string, document: object): string {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify(document), { mode: 0o600 });
  return path;
}

const mails = [...tenant, "--channel", "EMAIL"];
const setCarrier = async () => {
  const document = { kind: "smtp", host: "127.0.0.1", from: "a@acme.example" };
  return [...mails, "--file", file("carrier.json", document)];
};
const setProcessor = async () => {
  const document = { kind: "stripe", secretKey: "sk_test_1", webhookSecret: "whsec_1" };
  return [...tenant, "--file", file("stripe.json", document)];
};
const setCallbacks = async () => [...tenant, "--url", receiver.url, "--allow-private-callbacks"];
const createKey = async (): Promise<string> =>
  JSON.parse(await run("keys", "create", ...tenant, "-o", "json")).apiKey as string;
const newUser = (email: string) => [...tenant, "--email", email];
const createUser = async (email: string) => {
  await run("users", "create", ...newUser(email));
  return [email];
};

/** Returns the arguments of each command, after it has made what the command works on. */
const prepare: Readonly<Record<RecordedCommand, () => Promise<readonly string[]>>> = {
  "callbacks remove": async () => {
    await run("callbacks", "set", ...(await setCallbacks()));
    return tenant;
  },
  "callbacks secret": async () => tenant,
  "callbacks set": setCallbacks,
  "callbacks test": async () => {
    await run("callbacks", "set", ...(await setCallbacks()));
    return [...tenant, "--allow-private-callbacks"];
  },
  "carriers remove": async () => {
    await run("carriers", "set", ...(await setCarrier()));
    return mails;
  },
  "carriers set": setCarrier,
  "carriers test": async () => {
    await run("carriers", "set", ...(await setCarrier()));
    return [...mails, "--to", "ann@example.com", "--wait", "0s"];
  },
  "keys create": async () => tenant,
  "keys revoke": async () => [await createKey()],
  "keys rotate": async () => [await createKey()],
  "messages cancel": async () => [...tenant, "--search", "One", "--reason", "a loop", ...by, "--yes"],
  "messages settle": async () => {
    const [, second = ""] = folder.ids;
    await write((tx) =>
      tx.run(
        "UPDATE messages SET status = 'UNKNOWN', units = 0, charge = 'SETTLED' WHERE message_id = $1",
        String(second),
      ),
    );
    return ["delivered", second, "--reason", "ticket 7", ...by];
  },
  "payments settle": async () => {
    const account = { tenantId: 1, merchantId: "default", channel: "SMS" } as const;
    const price = { units: 1, amountCents: 100, currency: "USD", paymentMethod: null, note: null, referenceId: null };
    await write((tx) => insertPayment(tx, { ...account, ...price, paymentId: "pay_1", now: 1 }));
    return ["pay_1", "failed", "--reference", "wire 7", ...by];
  },
  "processors remove": async () => {
    await run("processors", "set", ...(await setProcessor()));
    return tenant;
  },
  "processors set": setProcessor,
  "provisioning import": async () => [file("provisioning.json", exampleProvisioning(1)), ...tenant],
  "recipients erase": async () => [RECIPIENT, ...tenant, "--yes"],
  "recipients export": async () => [RECIPIENT, ...tenant],
  "recipients show": async () => [RECIPIENT, ...tenant],
  "recipients unsuppress": async () => [RECIPIENT, ...tenant],
  "registrations review": async () => {
    const brand = newBrand({ tenantId: 1, merchantId: "m1", now: 1 });
    return ["brand", String(await write((tx) => insertBrand(tx, brand, 1))), "approved", ...by];
  },
  restore: async () => ["--mark"],
  "secrets reseal": async () => [],
  "tenants create": async () => ["New"],
  "tenants disable": async () => ["2", "--reason", "a loop", ...by],
  "tenants enable": async () => {
    await run("tenants", "disable", "2", "--reason", "a loop", ...by);
    return ["2", ...by];
  },
  "tenants limit": async () => ["2", "--rate", "5:10", ...by],
  "tenants second-factor": async () => ["2", "required", ...by],
  "tenants text-hours": async () => ["2", "08:00-20:00", ...by],
  "users create": async () => newUser("ann@example.com"),
  "users disable": () => createUser("bob@example.com"),
  "users reset": () => createUser("eve@example.com"),
};

/** The tenant whose audit has the command, if it is not tenant 1. */
function ownerOf(command: RecordedCommand): number {
  if (command === "restore" || command === "secrets reseal") return EVERY_TENANT;
  if (command === "tenants create") return 3;
  return command.startsWith("tenants ") ? 2 : 1;
}

const findNewest = () =>
  write((tx) =>
    tx.get<{ entryId: number; tenantId: number; operation: string }>(
      `SELECT entry_id AS "entryId", tenant_id AS "tenantId", operation FROM audit_entries ORDER BY entry_id DESC LIMIT 1`,
    ),
  );

it("every command is either recorded, or is known to change nothing of a tenant", () => {
  const list = (command: Command): string[] =>
    command.commands.flatMap((each) =>
      each.commands.length === 0 ? [each.name()] : list(each).map((name) => `${each.name()} ${name}`),
    );
  const known = [...recordedCommands, ...reading, ...wholesale];
  const program = createProgram("1.2.3", { environment: folder.environment, serve: async () => {} });
  expect(known.sort()).toEqual(list(program).sort());
});

it.each(recordedCommands)("msgd %s is recorded once", async (command) => {
  const words = await prepare[command]();
  const { entryId = 0 } = (await findNewest()) ?? {};
  const ran = run(...command.split(" "), ...words);
  // no server runs that would send the message
  if (command === "carriers test") await expect(ran).rejects.toThrow("no server has picked up the message");
  else await ran;
  expect(await findNewest()).toEqual({ entryId: entryId + 1, tenantId: ownerOf(command), operation: command });
});
