// Lets Stripe's library send its requests through the client of all APIs, which bounds answers and follows the server's clock.

import type { Stripe } from "stripe";
import type { ApiClient } from "../api-client.ts";

const METHODS = ["GET", "POST"] as const;

/** Creates the HTTP client of a `Stripe` object. It ignores the object's host, port and protocol: `api` has the URL. */
export function createStripeHttpClient(api: ApiClient): Stripe.HttpClient {
  return {
    getClientName: () => "node",
    async makeRequest(_host, _port, path, given, headers, body, _protocol, timeoutMs) {
      const method = METHODS.find((one) => one === given);
      if (method === undefined) throw new Error(`expected a request with GET or POST, received ${given}`);
      try {
        const answer = await api.send({ method, path, headers: toTexts(headers), timeoutMs, body: body ?? "" });
        return {
          getStatusCode: () => answer.status,
          getHeaders: () => answer.headers as Record<string, string>,
          getRawResponse: () => answer,
          toStream() {
            throw new Error("answers of Stripe are not streamed");
          },
          toJSON: async () => JSON.parse(answer.body),
        };
      } catch (error) {
        // the library would repeat a request whose error has the code of a closed connection
        throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
      }
    },
  };
}

function toTexts(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
