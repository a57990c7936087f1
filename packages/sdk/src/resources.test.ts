/** Compares every generated method with the operation table, so that nothing of the contract is repeated here. */
import { type OperationEntry, operations } from "@msgctl/contract";
import { describe, expect, it } from "vitest";
import { type MessagingClient, ResourceClient, ValidationError } from "./index.ts";
import { API_KEY, API_SECRET, answered, BASE_URL, problem } from "./testing/answering.ts";

type Method = (...args: unknown[]) => ReturnType<MessagingClient["request"]>;

const table: OperationEntry[] = Object.values(operations);
const QUERY = { of: "the caller" };
const BODY = { of: "the caller" };

function camelCase(words: string): string {
  return words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function methodOf(client: MessagingClient, { group, name }: OperationEntry): Method {
  const resource = Reflect.get(client, camelCase(group)) as Record<string, Method>;
  const method = resource[camelCase(name)];
  if (method === undefined) throw new Error(`client.${camelCase(group)}.${camelCase(name)} does not exist.`);
  return method.bind(resource);
}

/** The arguments of a method: path values first, then body or query. */
function argumentsOf({ pathParameters, queryParameters, bodySchema }: OperationEntry): unknown[] {
  return [
    ...pathParameters.map((name) => `${name}/1`),
    ...(bodySchema === null ? [] : [BODY]),
    ...(queryParameters.length > 0 ? [QUERY] : []),
  ];
}

/** The data of a success: nothing, text, or the minimum that identifies the reply. */
function dataOf({ responseMediaType, responseIsArray, identity }: OperationEntry): unknown {
  if (responseMediaType === null) return undefined;
  if (responseMediaType !== "application/json") return `<${identity[0]}/>`;
  const view = Object.fromEntries(identity.map((name) => [name, 0]));
  return responseIsArray ? [view, { ...view, of: "the service" }] : view;
}

function replyOf(operation: OperationEntry): Response {
  const { responseMediaType, successStatus: status } = operation;
  const data = dataOf(operation);
  const text = data === undefined ? null : typeof data === "string" ? data : JSON.stringify(data);
  return new Response(text, { status, headers: { "content-type": responseMediaType ?? "" } });
}

describe("each method", () => {
  it("calls its method and path with its arguments", async () => {
    for (const operation of table) {
      const { operationId, method, path, pathParameters, queryParameters, bodySchema, responseMediaType } = operation;
      const { client, sent } = answered(() => replyOf(operation));
      await methodOf(client, operation)(...argumentsOf(operation), { headers: { "x-option": "1" } });
      const filled = pathParameters.reduce((url, name) => url.replace(`{${name}}`, `${name}%2F1`), path);
      const query = queryParameters.length > 0 ? "?of=the%20caller" : "";
      const url = BASE_URL + filled + query;
      expect.soft(sent, operationId).toHaveLength(1);
      expect.soft(sent[0], operationId).toMatchObject({ method, url, headers: { "x-option": "1" } });
      expect.soft(sent[0]?.body, operationId).toBe(bodySchema === null ? undefined : JSON.stringify(BODY));
      expect.soft(sent[0]?.headers["idempotency-key"] !== undefined, operationId).toBe(method === "POST");
      expect.soft(sent[0]?.headers.accept, operationId).toBe(responseMediaType ?? "application/json");
    }
  });

  it("returns the service's reply", async () => {
    for (const operation of table) {
      const { client } = answered(() => replyOf(operation));
      const data = await methodOf(client, operation)(...argumentsOf(operation));
      expect.soft(data, operation.operationId).toEqual(dataOf(operation));
    }
  });

  it("throws the service's refusal", async () => {
    for (const operation of table) {
      const { client } = answered(() => problem(400, "validation_error"));
      const call = methodOf(client, operation)(...argumentsOf(operation));
      await expect.soft(call, operation.operationId).rejects.toThrow(ValidationError);
    }
  });
});

it("the client has exactly one method for each operation", () => {
  const client = new ResourceClient({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL });
  const methods = Object.entries(client).flatMap(([group, resource]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
      .filter((name) => name !== "constructor")
      .map((name) => `${group}.${name}`),
  );
  expect(methods.sort()).toEqual(table.map(({ group, name }) => `${camelCase(group)}.${camelCase(name)}`).sort());
});
