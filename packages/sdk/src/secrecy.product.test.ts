/** No credential is visible in a process's output. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { API_KEY, API_SECRET } from "./testing/answering.ts";
import { misbehaving, refuses } from "./testing/misbehaving.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" } as const;

it.each([
  [
    "a failed call that is logged",
    "console.log(await call.safe(), client, call); console.error(await call.catch((error) => error));",
  ],
  ["a failed call that nobody catches", "await call;"],
])("no credential is in the output of a process with %s and all of Node's debugging", async (_, use) => {
  const { origin, arrived } = await misbehaving(refuses(401, "credentials_invalid"));
  const script = `
    import { MessagingClient } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    const client = new MessagingClient();
    const call = client.send.sms(${JSON.stringify(sms)});
    ${use}`;
  const env = {
    ...process.env,
    NODE_DEBUG: "undici,fetch,http,net,tls",
    MSGCTL_API_KEY: API_KEY,
    MSGCTL_API_SECRET: API_SECRET,
    MSGCTL_BASE_URL: origin,
  };
  const options = ["--trace-uncaught", "--import", "tsx", "--input-type=module", "--eval", script];
  const run = promisify(execFile)(process.execPath, options, { env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed);
  const output = stdout + stderr;
  expect(output).toContain("AuthenticationError");
  expect(output).toContain("NET ");
  expect(arrived[0]?.headers).toMatchObject({ "x-api-secret": API_SECRET });
  expect(output).not.toContain(API_SECRET);
  expect(output).not.toContain(API_KEY);
});
