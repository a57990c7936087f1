// The whole service in memory, on a port.

import type { AddressInfo } from "node:net";
import { describeListenFailure, openInProcessService, urlOf } from "@msgctl/server/in-process";
import type { MockLine } from "./command-line.ts";
import type { RunningMock } from "./running-mock.ts";

/** How long requests in progress may take after a signal. */
const STOP_GRACE_MS = 1_000;

/** Callbacks may go to this machine and its network, where the receivers of tests are. */
export async function startStateful({ host, port, now }: MockLine): Promise<RunningMock> {
  const service = await openInProcessService({
    isDevelopment: true,
    isDemo: true,
    isRunning: now === undefined,
    allowPrivateCallbacks: true,
    now,
    log: (line) => process.stderr.write(line),
    logLevel: "error",
  });
  const { app, credential } = service;
  const stop = async () => {
    const timer = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
    await service.close();
    clearTimeout(timer);
  };
  try {
    await app.listen({ host, port });
    const url = urlOf(host, (app.server.address() as AddressInfo).port);
    await service.start();
    const webhookSecret = await service.callbackSecret();
    return { url, greeting: greet(url, { ...credential, webhookSecret }, now), stop };
  } catch (error) {
    await stop();
    throw new Error(describeListenFailure(error, { host, port, hostFlag: "--host" }), { cause: error });
  }
}

interface Keys {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly webhookSecret: string;
}

/** Each command works as shown. */
function greet(url: string, { apiKey, apiSecret, webhookSecret }: Keys, now: number | undefined): string {
  const sms = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" };
  const send = `${url}/api/v1/messages/sms -H "x-api-key: ${apiKey}" -H "x-api-secret: ${apiSecret}"`;
  const time =
    now === undefined
      ? "this machine's time"
      : `a time that stands still at ${new Date(now).toISOString()} until it is moved`;
  return `
  The whole service in memory, at ${time}. The keys are the same at each start:

  x-api-key       ${apiKey}
  x-api-secret    ${apiSecret}
  callbacks       are signed with ${webhookSecret}

Try in a second terminal:

  curl ${send} ${json(sms)}

For tests:

  what was sent   curl ${url}/control/messages
  callbacks       curl ${url}/control/callbacks
  start over      curl -X POST ${url}/control/reset
  move time       curl ${url}/control/clock ${json({ advance: "72h" })}
  fail a call     curl ${url}/control/faults ${json({ operation: "sendSms", code: "rate_limited" })}

Ctrl-C ends it.
`;
}

function json(body: object): string {
  return `-H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
}
