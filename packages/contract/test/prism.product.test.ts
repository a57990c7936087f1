// Prism reads the contract unchanged, and answers with the contract's examples.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Prism, startPrismMock } from "../../mocks/src/prism.ts";
import {
  contentOf,
  documentFile,
  examplesOf,
  follow,
  type Node,
  parametersOf,
  type Reply,
  type Route,
  replies,
  routes,
} from "./document.ts";

const credentials = { "X-API-KEY": "mkt_test_example", "X-API-SECRET": "mks_example" };
let prism: Prism;

beforeAll(async () => {
  prism = await startPrismMock({ document: documentFile });
});
afterAll(() => prism?.stop());

/** Calls an operation with the contract's own examples. */
function call(route: Route, headers: Record<string, string>): Promise<Response> {
  const values = new Map(parametersOf(route).map((parameter) => [parameter, String(examplesOf(parameter)[0]?.[1])]));
  const url = new URL(
    route.path.replace(/\{(\w+)\}/g, (_, name) => find(values, "path", name)),
    prism.url,
  );
  const sent = new Headers({ ...headers, Accept: "*/*" });
  for (const [{ in: place, name }, value] of values) {
    if (place === "query") url.searchParams.set(String(name), value);
    if (place === "header") sent.set(String(name), value);
  }
  if (route.operation.requestBody === undefined) return fetch(url, { method: route.method, headers: sent });
  sent.set("Content-Type", "application/json");
  const [, example] = Object.entries(contentOf(route.operation.requestBody).examples)[0] ?? [];
  return fetch(url, { method: route.method, headers: sent, body: JSON.stringify(follow(example ?? {}).value) });
}

function find(values: ReadonlyMap<Node, string>, place: string, name: string): string {
  const [, value] = [...values].find(([parameter]) => parameter.in === place && parameter.name === name) ?? [];
  return encodeURIComponent(value ?? "");
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : text;
}

const cases = routes.map((route) => [route.operation.operationId, route] as const);

describe("when it is called with the contract's example,", () => {
  test.each(cases)("%s answers with its first example", async (_, route) => {
    const [success] = replies.filter((reply) => reply.route === route && reply.status < 400);
    const response = await call(route, credentials);
    expect(response.status).toBe(success?.status);
    expect(response.headers.get("sl-violations")).toBeNull();
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
    expect(await read(response)).toEqual(firstExample(success));
  });

  test.each(cases)("%s answers 401 when the secret is missing", async (_, route) => {
    const response = await call(route, { "X-API-KEY": credentials["X-API-KEY"] });
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toMatch(/^ApiKey /);
    expect(await read(response)).toMatchObject({ code: "credentials_missing", status: 401 });
  });
});

describe("with the header Prefer,", () => {
  test.each(cases)("%s answers with each of its problem codes", async (operationId, route) => {
    // from the generated table, so that the test fails for a reply without an example
    for (const [status, codes] of Object.entries(operations[operationId as OperationId].errors)) {
      for (const code of codes) {
        const response = await call(route, { ...credentials, Prefer: `code=${status}, example=${code}` });
        expect([response.status, response.headers.get("Content-Type"), await read(response)]).toMatchObject([
          Number(status),
          "application/problem+json",
          { code, status: Number(status) },
        ]);
        expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
      }
    }
  });

  test("sendSms can be refused for an opt-out", async () => {
    const [sendSms] = routes.filter(({ operation }) => operation.operationId === "sendSms");
    if (sendSms === undefined) throw new Error("the contract has no sendSms");
    const response = await call(sendSms, { ...credentials, Prefer: "code=422, example=consent_opted_out" });
    expect(response.headers.get("Content-Type")).toContain("application/problem+json");
    expect(await read(response)).toMatchObject({ code: "consent_opted_out", status: 422 });
  });
});

function firstExample(reply: Reply | undefined): unknown {
  const [example] = Object.values(contentOf(reply?.response ?? {}).examples);
  return example === undefined ? "" : follow(example).value;
}
