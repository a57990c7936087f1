// Loads the SDK as npm would publish it from an ES module and from a CommonJS program.

import { execFileSync } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { installSdk } from "../packages/packed.ts";

const { folder, remove } = installSdk();
afterAll(remove);

const USE = `
const client = new sdk.MessagingClient({ apiKey: "k", apiSecret: "s", baseUrl: "http://127.0.0.1:1" });
const isShared = sdk.MessagingError.prototype.isPrototypeOf(webhooks.WebhookVerificationError.prototype);
console.log(typeof client.send.sms, isShared);`;

it.each([
  ["module", "module", `import * as sdk from "@msgctl/sdk"; import * as webhooks from "@msgctl/sdk/webhooks"; ${USE}`],
  ["CommonJS", "commonjs", `const sdk = require("@msgctl/sdk"), webhooks = require("@msgctl/sdk/webhooks"); ${USE}`],
])("the packed SDK loads as %s, and both entry points share their error classes", (_, type, program) => {
  const args = [`--input-type=${type}`, "--eval", program];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" })).toBe("function true\n");
});
