// The in-process server for the server's tests. Every reply is checked against the contract.

import { createContractCheck } from "@msgctl/conformance";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type { IssuedCredential } from "../domain/tenancy/tenants.ts";
import { type InProcessOptions, type InProcessService, openInProcessService } from "../in-process.ts";
import { TEST_CONNECTIONS, takeDatabase } from "./engine.ts";

export { pepper, secrets } from "../in-process.ts";

const checkReply = createContractCheck();

export interface InMemoryService extends InProcessService {
  /**
   * Sends a request and checks the reply against the contract. `as` is the credential to send, by default the tenant's; null
   * sends none.
   */
  call(
    method: "GET" | "POST" | "DELETE",
    url: string,
    request?: {
      body?: unknown;
      headers?: Readonly<Record<string, string>>;
      as?: Pick<IssuedCredential, "apiKey" | "apiSecret"> | null;
    },
  ): Promise<LightMyRequestResponse>;
}

/** The cheapest cost, because tests sign in hundreds of times. */
const passwordCost = { N: 2, r: 1, p: 1 };

export async function openInMemoryService(options: InProcessOptions = {}): Promise<InMemoryService> {
  const taken = options.database === undefined ? await takeDatabase() : undefined;
  const service = await openInProcessService({
    passwordCost,
    databaseConnections: TEST_CONNECTIONS,
    ...options,
    database: options.database ?? taken?.location,
  });
  return {
    ...service,
    async close() {
      await service.close();
      await taken?.release();
    },
    async call(method, url, { body, headers, as = service.credential } = {}) {
      const credentials = as === null ? {} : { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret };
      const options: InjectOptions = { method, url, headers: { ...credentials, ...headers } };
      if (body !== undefined) options.payload = body as NonNullable<InjectOptions["payload"]>;
      const reply = await service.app.inject(options);
      if (url.startsWith("/api/")) checkReply({ method, url }, reply);
      return reply;
    },
  };
}
