// Prism over the contract shipped with this package, on a port.

import { once } from "node:events";
import { createServer } from "node:net";
import { describeListenFailure } from "@msgctl/server/in-process";
import { type Prism, PrismMissingError, startPrismMock } from "../prism.ts";
import type { MockLine } from "./command-line.ts";
import type { RunningMock } from "./running-mock.ts";

export async function startExamples({ host, port }: MockLine): Promise<RunningMock> {
  await requireFree(host, port);
  const prism = await startPrismMock({ host, port }).catch(explainMissing);
  return { url: prism.url, greeting: greet(prism.url), failed: failureOf(prism), stop: prism.stop };
}

/** npx does not install Prism for the user. */
function explainMissing(error: Error): never {
  if (!(error instanceof PrismMissingError)) throw error;
  throw new Error(
    "Prism is not installed. Run: npx --package @msgctl/mocks --package @stoplight/prism-cli msgctl-mock prism",
    { cause: error },
  );
}

/** Prism reports a port in use only in one of its log lines. */
async function requireFree(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    throw new Error(describeListenFailure(error, { host, port, hostFlag: "--host" }), { cause: error });
  } finally {
    server.close();
  }
}

async function failureOf({ ended }: Prism): Promise<never> {
  await ended;
  throw new Error("Prism has ended unexpectedly");
}

function greet(url: string): string {
  return `
  The contract's examples, by Prism: no call changes anything, and any credential will do.

Try in a second terminal:

  curl ${url}/api/v1/merchants/demo -H "x-api-key: key" -H "x-api-secret: secret"
  curl ${url}/api/v1/merchants/demo -H "x-api-key: key" -H "x-api-secret: secret" -H "Accept: application/problem+json" -H "Prefer: code=404"

Ctrl-C ends it.
`;
}
