// Runs the curl commands of docs/api unchanged, page by page in the order of the index. A demo server with the contract's
// example data answers each with the documented status. The body fits its schema, and has the documented value in every field
// that the server does not choose.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MessagingClient } from "@msgctl/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compile, contentOf, replies } from "../../packages/contract/test/document.ts";
import { cleanEnvironment, runMsgctl } from "../e2e/msgctl-process.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { blocksOf, linksOf } from "./markdown.ts";

const PATIENT = "+12025550100";

/** Fields whose value depends on when, where and after which requests a request is made. */
const OWN = /^(id|messageId|requestId|batchId|brandId|campaignId|paymentId|tenantId|periodStart|\w+At)$/;

/** Operations whose data here is newer and smaller than the example's. Only the schema of their replies is checked. */
const HISTORIES = new Set([
  ...["getMerchant", "listMerchants", "listConsents", "listAlerts", "getUsageReport", "getRegistrationStatus"],
  ...["listTtsCalls", "getTtsCall", "getTtsBatchSummary", "listTtsBatchNumbers"],
]);

const readPage = (name: string) => readFileSync(new URL(`../../docs/api/${name}`, import.meta.url), "utf8");
const pages = new Set(linksOf(readPage("README.md")).flatMap((target) => target.match(/^[a-z-]+\.md(?=#)/) ?? []));
const examples = [...pages].flatMap((name) =>
  readPage(name)
    .split(/^(?=## )/m)
    .slice(1)
    .map(readSection),
);

function readSection(text: string) {
  const [, method, path] = /^`([A-Z]+) (\S+)`/m.exec(text) ?? [];
  const [, status] = /^\*\*Reply\*\*: (\d+)/m.exec(text) ?? [];
  const [command] = blocksOf(text);
  const [body] = blocksOf(text.split("**Example reply**\n")[1] ?? "");
  const reply = replies.find(({ route, status: other }) => {
    return route.method === method && route.path === path && other === Number(status);
  });
  if (reply === undefined || command?.language !== "sh") throw new Error(`not an example of an operation: ${text}`);
  return { operationId: reply.route.operation.operationId, status, command: command.text, body, reply };
}

const folder = new MsgdFolder();
let variables: Record<string, string>;
/** Values that the server chooses: maps the example's value to this server's. */
const known = new Map<string, string>();

beforeAll(async () => {
  const { baseUrl } = await folder.shareDemo();
  const { apiKey, apiSecret, tenantId } = folder.demoCredential;
  variables = { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: baseUrl };
  known.set('"tenantId": "17"', `"tenantId": "${tenantId}"`);
  importProvisioning(tenantId);
  const client = new MessagingClient({ apiKey, apiSecret, baseUrl });
  await client.merchants.upsert({ merchantId: "bright-dental", displayName: "Bright Dental" });
  await client.consent.record({ merchantId: "bright-dental", channel: "VOICE", contact: PATIENT, status: "OPT_IN" });
  // a merchant that spends its whole limit has alerts
  await client.merchants.upsert({ merchantId: "one-message", displayName: "One Message", smsLimit: 1 });
  await client.send.sms({ merchantId: "one-message", to: PATIENT, message: "Your code is 1.", type: "OTP" });
});
afterAll(() => folder.remove());

/** Imports the contract's example provisioning for the demo tenant. */
function importProvisioning(tenantId: string): void {
  const shown = examples.find(({ operationId }) => operationId === "getVoiceProvisioning")?.body?.text ?? "";
  const file = join(folder.parent, "provisioning.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(shown), tenantId: Number(tenantId) }), { mode: 0o600 });
  folder.command("provisioning", "import", file, "--tenant", tenantId);
}

/** Runs the command. Returns its output and the HTTP status. */
async function paste(command: string) {
  const real = [...known].reduce((text, [shown, value]) => text.replaceAll(shown, value), command);
  const { exitCode, stdout, stderr } = await runMsgctl(
    ["-euc", `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }\n${real}`],
    { cwd: folder.parent, program: ["sh"], env: { ...cleanEnvironment(folder.parent), ...variables } },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const [, body = "", status] = /^([\s\S]*)\n(\d{3})$/.exec(stdout) ?? [];
  return { body, status };
}

/** Maps the contract's example ids, which later examples use, to the created ones. */
function remember(operationId: string, made: Record<string, unknown>): void {
  if (operationId === "sendSms") known.set('"msg_01KJQH7VR0X4T8ZB2M6QWEN9KD"', `"${made.messageId}"`);
  if (operationId === "registerCampaign") known.set('"campaignId": 401', `"campaignId": ${made.id}`);
  if (operationId === "registerNumber") known.set("/numbers/501/", `/numbers/${made.id}/`);
  if (operationId === "createTtsCalls") {
    known.set("/tts-calls/48211", `/tts-calls/${made.requestId}`);
    known.set("/batches/9002/", `/batches/${made.batchId}/`);
  }
}

/** Removes the values that the server chooses, at any depth. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !OWN.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, comparable(field)]));
}

it("docs/api has an example of every operation", () => {
  const documented = new Set(replies.map(({ route }) => route.operation.operationId));
  expect(new Set(examples.map(({ operationId }) => operationId))).toEqual(documented);
});

const canPaste = process.platform !== "win32" && spawnSync("curl", ["--version"]).status === 0;

it.runIf(canPaste).for(examples)("the example of $operationId gets the documented reply", async (example) => {
  const { operationId, command, status, body: shown, reply } = example;
  const answer = await paste(command);
  expect(answer).toMatchObject({ status });
  if (shown === undefined) return expect(answer.body).toBe("");
  if (shown.language === "xml") {
    const tenant = (text: string) => text.trim().replace(/(name="accountcode" value=)"\d+"/, "$1");
    return expect(tenant(answer.body)).toBe(tenant(shown.text));
  }
  const value = JSON.parse(answer.body);
  const isValid = compile(contentOf(reply.response).schema);
  expect([isValid(value), isValid.errors ?? []]).toEqual([true, []]);
  remember(operationId, value);
  if (HISTORIES.has(operationId)) expect(Array.isArray(value) ? value.length : 1).toBeGreaterThan(0);
  else expect(comparable(value)).toEqual(comparable(JSON.parse(shown.text)));
});
