// Generates a program that uses the SDK as the contract's examples do: every operation with every documented body.

import {
  contentOf,
  examplesOf,
  type Node,
  parametersOf,
  type Route,
  routes,
} from "../../packages/contract/test/document.ts";

/** The same program as an ES module and as CommonJS, in which TypeScript uses another import. */
export const consumers: Readonly<Record<string, string>> = {
  "module.mts": consumer(
    'import { MessagingClient } from "@msgctl/sdk";',
    'import { WebhookVerificationError } from "@msgctl/sdk/webhooks";',
  ),
  "common.cts": consumer(
    'import sdk = require("@msgctl/sdk");',
    "const { MessagingClient } = sdk;",
    'import webhooks = require("@msgctl/sdk/webhooks");',
    "const { WebhookVerificationError } = webhooks;",
  ),
};

function consumer(...imports: string[]): string {
  return [
    ...imports,
    'const client = new MessagingClient({ apiKey: "key", apiSecret: "secret", baseUrl: "https://api.example" });',
    // both entry points share the same error classes
    "const isUnverified = (error: unknown) => error instanceof WebhookVerificationError;",
    ...routes.map(usesOf),
  ].join("\n");
}

/** Generates a function for each call in the operation's examples, and one for each reply. */
function usesOf(route: Route): string {
  const calls = callsOf(route).map(
    ([name, call]) => `  const ${name} = await ${call};\n  void ${name};\n  void ${call}.safe();`,
  );
  const refused = callsOf(route, { notInTheContract: true })
    .filter(() => route.operation.requestBody !== undefined)
    .map(([, call]) => `  // @ts-expect-error a field that the contract does not have\n  void ${call};`);
  const replies = repliesOf(route).map(
    ([name, value]) =>
      `const ${route.operation.operationId}_${name}: Awaited<ReturnType<typeof ${methodOf(route)}>> = ${JSON.stringify(value)};`,
  );
  const body = [...calls, ...refused].join("\n");
  return `async function ${route.operation.operationId}() {\n${body}\n}\n${replies.join("\n")}`;
}

/** Generates calls with each example body and its path values, or with the query's examples. Adds `more` to the body. */
function callsOf(route: Route, more: object = {}): [name: string, call: string][] {
  const place = (name: string) => parametersOf(route).filter((parameter) => parameter.in === name);
  const path = place("path").map((parameter) => JSON.stringify(exampleOf(parameter)));
  const query = place("query").map((parameter) => [parameter.name, exampleOf(parameter)]);
  const options = route.method === "POST" ? '{ idempotencyKey: "k1", maxRetries: 1 }' : "{ timeoutMs: 1000 }";
  const call = (...args: string[]) => `${methodOf(route)}(${[...path, ...args, options].join(", ")})`;
  if (route.operation.requestBody !== undefined) {
    const { examples } = contentOf(route.operation.requestBody);
    return examplesOf({ examples }).map(([name, value]) => [
      name,
      call(JSON.stringify({ ...(value as object), ...more })),
    ]);
  }
  return [["reply", query.length > 0 ? call(JSON.stringify(Object.fromEntries(query))) : call()]];
}

function repliesOf({ operation }: Route): [name: string, value: unknown][] {
  return Object.entries(operation.responses)
    .filter(([status, { content }]) => Number(status) < 300 && content !== undefined)
    .flatMap(([, response]) => examplesOf({ examples: contentOf(response).examples }));
}

function exampleOf(parameter: Node): unknown {
  const [[, value] = []] = examplesOf(parameter);
  if (value === undefined) throw new Error(`${parameter.name} has no example`);
  return value;
}

/** The SDK's method for an operation: `direct-sms` of `send` is `client.send.directSms`. */
function methodOf({ operation }: Route): string {
  const { group, name } = operation["x-msgctl"] as { group: string; name: string };
  const camelCase = (words: string) => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `client.${camelCase(group)}.${camelCase(name)}`;
}
