// Follows CONTRIBUTING.md on a copy of the project: adds a carrier kind, and a field to a send. Only the files that it names
// are written, and the field of a send by msgctl arrives at a carrier of the new kind.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run as generate } from "../../packages/codegen/src/run.ts";
import { stagesOf } from "../../packages/codegen/src/stages.ts";
import { copyProject } from "./project-copy.ts";

const SETTINGS = `import type { CarrierSettings } from "../kind.ts";
import { checkText, type DocumentFault, type DocumentObject } from "../../domain/document-checks.ts";
import { folderWords, isFolder, text } from "../settings-document.ts";

export interface OutboxSettings extends CarrierSettings {
  readonly kind: "outbox";
  /** Folder to which texts are written, one per line. */
  readonly folder: string;
  readonly sender: string;
}

export const outboxSchema = { required: ["folder", "sender"], properties: { folder: text(), sender: text(16) } };

export function findOutboxFaults(document: DocumentObject): DocumentFault[] {
  return checkText(document, "folder", isFolder, folderWords);
}
`;
const CARRIER = `import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "../provider.ts";
import type { OutboxSettings } from "./settings.ts";

export function openOutboxCarrier(name: string, { folder }: OutboxSettings): Provider {
  return {
    name,
    async submit(submission, { handOver }) {
      await handOver();
      await appendFile(join(folder, "texts.jsonl"), JSON.stringify(submission) + "\\n");
      return { outcome: "taken", providerMessageId: submission.clientReference };
    },
    capacity: () => 1,
    isBusy: () => false,
    start: (_sink, noteReach) => noteReach?.(),
    async stop() {},
  };
}
`;
const KIND = `import type { CarrierKind } from "../kind.ts";
import { openOutboxCarrier } from "./outbox-carrier.ts";
import { findOutboxFaults, type OutboxSettings, outboxSchema } from "./settings.ts";

export const outboxKind: CarrierKind<OutboxSettings> = {
  name: "outbox",
  title: "a folder that texts are written to",
  channels: ["SMS"],
  example: { kind: "outbox", folder: "/var/spool/texts", sender: "ACME" },
  schema: outboxSchema,
  secrets: [],
  traits: { handsOver: true, tellsOnlyFailures: true, speaksText: false },
  findFaults: findOutboxFaults,
  complete: (document) => document as OutboxSettings,
  toTextColumns: ({ sender, folder }) => ({ sender, merchantNumbers: 0, account: folder }),
  open: async (settings, { name }) => openOutboxCarrier(name, settings),
};
`;

const SERVER = "packages/server/src";
const KIND_FOLDER = `${SERVER}/carriers/outbox/`;
const NEW_FILES = {
  [`${KIND_FOLDER}settings.ts`]: SETTINGS,
  [`${KIND_FOLDER}outbox-carrier.ts`]: CARRIER,
  [`${KIND_FOLDER}kind.ts`]: KIND,
};

type Edits = Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>;

const KIND_EDITS: Edits = {
  [`${SERVER}/carriers/kinds.ts`]: [
    ["[smtpKind, smppKind,", "[outboxKind, smtpKind, smppKind,"],
    ["import { rateFields }", 'import { outboxKind } from "./outbox/kind.ts";\nimport { rateFields }'],
  ],
};

const ORDER_NUMBER = `orderNumber: { type: string, maxLength: 64, description: "The order that the text is about." }`;
const FIELD_EDITS: Edits = {
  "openapi.yaml": [
    [
      `type: { $ref: "#/components/schemas/MessageType", description: Purpose of the message. }
    V1OmniVoiceSendRequest:`,
      `type: { $ref: "#/components/schemas/MessageType", description: Purpose of the message. }
        ${ORDER_NUMBER}
    V1OmniVoiceSendRequest:`,
    ],
  ],
  [`${SERVER}/domain/messages/operations.ts`]: [
    [
      "toSend: ({ body: { merchantId, type, to, message: content } }) => smsSend({ merchantId, type, to, content }),",
      `toSend: ({ body: { merchantId, type, to, message: content, orderNumber = null } }) =>
      smsSend({ merchantId, type, to, content, orderNumber }),`,
    ],
    [`"merchantId" | "type" | "content">`, `"merchantId" | "type" | "content" | "orderNumber">`],
    [
      "smsSend({ merchantId, type, to, content }: AskedSend)",
      "smsSend({ merchantId, type, to, content, orderNumber }: AskedSend)",
    ],
    [
      `channel: "SMS", type, recipient, subject: null, content, units };`,
      `channel: "SMS", type, recipient, subject: null, content, units, orderNumber };`,
    ],
  ],
  [`${SERVER}/domain/messages/rows.ts`]: [
    [
      "export interface AskedMessage {",
      "export interface AskedMessage {\n  readonly orderNumber?: string | null | undefined;",
    ],
    [`    longBytes: "bigint",`, `    longBytes: "bigint",\n    orderNumber: "text",`],
    ["queue_order, long_bytes)\n    VALUES", "queue_order, long_bytes, order_number)\n    VALUES"],
    ["$14, $15)", "$14, $15, $16)"],
    ["queue_order, long_bytes)\n      SELECT", "queue_order, long_bytes, order_number)\n      SELECT"],
    ["content, queue_order, long_bytes\n", "content, queue_order, long_bytes, order_number\n"],
    ["  const decided = {", "  const { orderNumber = null } = message;\n  const decided = {"],
    ["content, longBytes };", "content, longBytes, orderNumber };"],
    ["export interface MessageDetails {", "export interface MessageDetails {\n  readonly orderNumber?: string | null;"],
    [`m.recipient AS "to", m.subject,`, `m.recipient AS "to", m.subject, m.order_number AS "orderNumber",`],
  ],
  [`${SERVER}/store/tables/messages.ts`]: [
    [`long_bytes \${int64},`, `long_bytes \${int64},\n       order_number \${text},`],
  ],
  [`${SERVER}/store/queue/message-rows.ts`]: [
    [
      "export interface OutboxRow extends MessageProgress {",
      "export interface OutboxRow extends MessageProgress {\n  readonly orderNumber: string | null;",
    ],
    ["m.subject, m.content", `m.subject, m.order_number AS "orderNumber", m.content`],
  ],
  [`${SERVER}/carriers/provider.ts`]: [
    ["interface StoredFields {", "interface StoredFields {\n  readonly orderNumber: string | null;"],
    ["type, subject, attempts } = message;", "type, subject, orderNumber, attempts } = message;"],
    ["    subject,\n    content,", "    subject,\n    orderNumber,\n    content,"],
  ],
  [`${KIND_FOLDER}outbox-carrier.ts`]: [
    ["JSON.stringify(submission)", "JSON.stringify({ ...submission, order: submission.orderNumber })"],
  ],
  "packages/dashboard/openapi.yaml": [
    [
      `        content: { type: string, description: "The whole text of an SMS or an email, or the text that a call speaks." }`,
      `        orderNumber: { type: [string, "null"], description: The order that it is about. }
        content: { type: string, description: "The whole text of an SMS or an email, or the text that a call speaks." }`,
    ],
  ],
  "packages/dashboard/src/pages/message/message-page.tsx": [
    [
      '<Fact name="Quota">',
      `<Fact name="Order">{message.orderNumber ?? "none"}</Fact>
            <Fact name="Quota">`,
    ],
  ],
};

/** Returns the files that a section of CONTRIBUTING.md names, in its order. */
function filesOf(heading: string): string[] {
  const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [list = ""] = section.split(/\n(?:## |`msgd )/);
  return [...list.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path = ""]) => path);
}

const { root, remove } = copyProject();
const data = mkdtempSync(join(tmpdir(), "recipes-"));
let server: ChildProcess | undefined;

function edit(edits: Edits): void {
  for (const [path, changes] of Object.entries(edits)) {
    let text = readFileSync(join(root, path), "utf8");
    for (const [before, after] of changes) {
      expect(text.split(before).length, `${path}: ${before}`).toBe(2);
      text = text.replace(before, () => after);
    }
    writeFileSync(join(root, path), text);
  }
}

const environment = { ...process.env, MSGD_DATA: data, MSGD_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };

async function node(args: readonly string[], env: NodeJS.ProcessEnv = environment): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return stdout;
}
const msgd = (...words: string[]) => node(["--import", "tsx", "msgd.ts", ...words]);

beforeAll(async () => {
  for (const [path, text] of Object.entries(NEW_FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  edit(KIND_EDITS);
  edit(FIELD_EDITS);
  // the second stage would write pages of docs/, which the copy does not have
  const quiet = { log: () => {}, error: () => {} };
  expect(await generate(root, stagesOf(root).slice(0, 1), false, quiet)).toBe(0);
  writeFileSync(
    join(root, "msgd.ts"),
    `import { main } from "./${SERVER}/main.ts";\nawait main(process.argv.slice(2));\n`,
  );
});
afterAll(() => {
  server?.kill();
  remove();
  rmSync(data, { recursive: true });
});

describe("CONTRIBUTING.md", () => {
  const ofKind = (path: string) => path.replace(KIND_FOLDER, `${SERVER}/carriers/<kind>/`);

  it("names each file of a new field", () => {
    const written = Object.keys(FIELD_EDITS).map((path) => ofKind(path).replace(/<kind>\/.*$/, "<kind>/"));
    expect(filesOf("Add a field to a send")).toEqual(written);
    expect(written.length).toBeLessThanOrEqual(9);
  });

  it("names each file of a new carrier kind", () => {
    expect(filesOf("Add a carrier kind")).toEqual([`${SERVER}/carriers/<kind>/`, ...Object.keys(KIND_EDITS)]);
  });
});

it("the changed project compiles, including the dashboard's page", async () => {
  const files = ["msgd.ts", `${SERVER}/carriers/smpp/smpp.d.ts`, "packages/dashboard/src/main.tsx"];
  writeFileSync(join(root, "tsconfig.new.json"), JSON.stringify({ extends: "./tsconfig.json", include: [], files }));
  const compiled = await node([
    "node_modules/typescript/bin/tsc",
    "-p",
    "tsconfig.new.json",
    "--pretty",
    "false",
  ]).catch(({ stdout }) => stdout);
  expect(compiled).toBe("");
});

it("msgd shows the kind in its help", async () => {
  const help = await msgd("carriers", "set", "--help");
  expect(help).toContain("a folder that texts are written to:");
  expect(help).toContain('{ "kind": "outbox", "folder": "/var/spool/texts", "sender": "ACME" }');
});

it("msgd refuses settings that the kind does not accept", async () => {
  await msgd("tenants", "create", "Acme");
  writeFileSync(join(data, "wrong.json"), JSON.stringify({ kind: "outbox", folder: "relative", sender: "ACME" }));
  const file = join(data, "wrong.json");
  const set = msgd("carriers", "set", "--tenant", "1", "--channel", "SMS", "--file", file);
  await expect(set).rejects.toMatchObject({ stderr: expect.stringContaining("/folder: expected an absolute path") });
});

it("msgd passes the field from msgctl to a carrier of the kind, and shows it", async () => {
  writeFileSync(join(data, "outbox.json"), JSON.stringify({ kind: "outbox", folder: data, sender: "ACME" }));
  await msgd("carriers", "set", "--tenant", "1", "--channel", "SMS", "--file", join(data, "outbox.json"));
  const key = JSON.parse(await msgd("keys", "create", "--tenant", "1", "-o", "json"));
  const baseUrl = await serve();
  const access = { MSGCTL_BASE_URL: baseUrl, MSGCTL_API_KEY: key.apiKey, MSGCTL_API_SECRET: key.apiSecret };
  const msgctl = (...words: string[]) =>
    node(["--import", "tsx", "packages/cli/src/main.ts", ...words, "--merchant-id", "shop", "-o", "json"], {
      ...environment,
      ...access,
    });
  await msgctl("merchants", "upsert", "--display-name", "Shop", "--sms-limit", "10");
  const words = ["--to", "+12025550100", "--message", "Your order is here", "--type", "OTP", "--order-number", "7781"];
  const { messageId } = JSON.parse(await msgctl("send", "sms", ...words));
  await expect
    .poll(async () => JSON.parse(await msgd("messages", "show", messageId, "--tenant", "1", "-o", "json")), {
      timeout: 60_000,
    })
    .toMatchObject({ status: "SENT", orderNumber: "7781" });
  const [text] = readFileSync(join(data, "texts.jsonl"), "utf8").trimEnd().split("\n");
  expect(JSON.parse(text as string)).toMatchObject({ clientReference: messageId, order: "7781" });
});

/** Starts the copy's msgd. Returns its URL once it listens. */
async function serve(): Promise<string> {
  const child = spawn(process.execPath, ["--import", "tsx", "msgd.ts", "serve", "--port", "0"], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  server = child;
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /listening on (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("msgd ended before it listened");
}
