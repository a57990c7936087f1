// The adapter between msgd and the stand-in for a provider, as its README says. It is killed between storing a text and
// calling its provider, and just after the call: no text is sent twice.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { ExampleProcess } from "./example-process.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const folder = new MsgdFolder();
const ports = { msgd: 0, adapter: 0 };
let provider: ExampleProcess;
let adapter: ExampleProcess;
let credential: Credential;
let post: Post;

beforeAll(async () => {
  [ports.msgd, ports.adapter] = [await findFreePort(), await findFreePort()];
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  credential = folder.createKey(tenantId);
  const publicUrl = `http://127.0.0.1:${ports.msgd}`;
  const flags = ["--public-url", publicUrl, "--consent-policy", "opt_out_only"];
  const server = await folder.serve("--port", String(ports.msgd), ...flags);
  post = createPost(server.baseUrl, credential);
  const settings = { kind: "http", url: `http://127.0.0.1:${ports.adapter}`, secret: SECRET, sender: "+12025550199" };
  const file = join(folder.parent, "adapter.json");
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  folder.command("carriers", "set", "--tenant", tenantId, "--channel", "SMS", "--file", file);
  const STATUS_URL = `${settings.url}/provider/token`;
  provider = await ExampleProcess.start("examples/carrier-adapter/provider.ts", { PORT: "0", STATUS_URL });
  adapter = await startAdapter();
  await post("/api/v1/merchants", { merchantId: "shop", displayName: "Shop", smsLimit: 100 });
});
afterAll(async () => {
  await adapter?.end();
  await provider?.end();
  await folder.remove();
});

/** Starts the adapter, which kills itself before or after the call for a text that says so. */
function startAdapter(): Promise<ExampleProcess> {
  return ExampleProcess.start("examples/carrier-adapter/adapter.ts", {
    ...{ PORT: String(ports.adapter), PROVIDER_URL: provider.origin, PROVIDER_TOKEN: "token" },
    ...{ ADAPTER_SECRET: SECRET, ADAPTER_STORE: join(folder.parent, "messages.jsonl") },
    NODE_OPTIONS: `--import ${new URL("kill-at-call.mjs", import.meta.url)}`,
  });
}

async function send(to: string, message: string): Promise<string> {
  const reply = await post("/api/v1/messages/sms", { merchantId: "shop", type: "TRANSACTIONAL", to, message });
  return ((await reply.json()) as { messageId: string }).messageId;
}

async function statusOf(messageId: string): Promise<string | undefined> {
  const listed = folder.command<{ messageId: string; status: string }[]>(
    ...["messages", "list", "--tenant", credential.tenantId],
  );
  return listed.find((message) => message.messageId === messageId)?.status;
}

const sentTo = (to: string) => provider.written.filter((line) => line.startsWith(`to ${to}:`)).length;

it("a text is sent once, and is DELIVERED once the provider says so", async () => {
  const to = "+12025550100";
  const messageId = await send(to, "Hello");
  await expect.poll(() => statusOf(messageId)).toBe("DELIVERED");
  // the commands hold up the lines that the provider has printed
  await expect.poll(() => sentTo(to)).toBe(1);
});

it.each([
  ["before", 0, "SENDING"],
  ["after", 1, "DELIVERED"],
] as const)("a text whose adapter is killed %s the call is sent at most once", async (when, times, status) => {
  const [to, next] = [`+1202555011${times}`, `+1202555012${times}`];
  const messageId = await send(to, `kill me ${when} the call`);
  await expect.poll(() => adapter.hasEnded).toBe(true);
  adapter = await startAdapter();
  // a later text shows that the carrier is in use again
  const later = await send(next, "Hello");
  await expect.poll(() => statusOf(later)).toBe("DELIVERED");
  await expect.poll(() => statusOf(messageId)).toBe(status);
  // the provider prints its texts in order
  await expect.poll(() => sentTo(next)).toBe(1);
  expect(sentTo(to)).toBe(times);
});
