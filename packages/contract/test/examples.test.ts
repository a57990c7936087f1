// Every example of the contract is a valid value of its schema, and every error is listed where it can occur.

import { isDeepStrictEqual } from "node:util";
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  at,
  compile,
  contentOf,
  document,
  examplesOf,
  follow,
  type Node,
  parametersOf,
  replies,
  routes,
} from "./document.ts";

type Case = [title: string, schema: Node, value: unknown];

function casesOf(title: string, schema: Node, holder: Node): Case[] {
  return examplesOf(holder).map(([name, value]) => [`${title}: ${name}`, schema, value]);
}

function faultsOf(validate: ValidateFunction, value: unknown): readonly unknown[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }));
}

const bodies = routes.filter(({ operation }) => operation.requestBody !== undefined);
const bodyCases = bodies.flatMap(({ operation }) => {
  const { schema, examples } = contentOf(operation.requestBody ?? {});
  return casesOf(operation.operationId, schema, { examples });
});
const successes = replies.filter(({ status }) => status < 400);
const errors = replies.filter(({ status }) => status >= 400);
const viewCases = successes.flatMap(({ route, response }) => {
  const { schema, examples } = contentOf(response);
  return casesOf(route.operation.operationId, schema, { examples });
});
const parameterCases = routes.flatMap((route) =>
  parametersOf(route).flatMap((parameter) =>
    casesOf(`${route.operation.operationId} ${parameter.name}`, at(parameter, "schema"), parameter),
  ),
);
const headerCases = Object.entries(at(document, "components", "headers")).flatMap(([name, header]) =>
  casesOf(name, at(header as Node, "schema"), header as Node),
);
const problems = at(document, "components", "examples") as Readonly<Record<string, Node>>;
const codes = at(document, "components", "schemas", "ProblemCode").enum as readonly string[];
const problemSchema = { $ref: "#/components/schemas/Problem" };

describe("an example is a valid value without unknown fields", () => {
  test.each<[string, Case[]]>([
    ["body", bodyCases],
    ["view", viewCases],
    ["parameter", parameterCases],
    ["header", headerCases],
    ["problem", codes.map((code) => [code, problemSchema, problems[code]?.value])],
  ])("for each %s", (_, cases) => {
    const checked = cases.map(([title, schema, value]) => ({ title, faults: faultsOf(compile(schema), value) }));
    expect(cases).not.toEqual([]);
    expect(checked.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  test.each<[string, string, unknown]>([
    ["an unknown field of a view", "V1MessageResponse", { messageId: "msg_1", status: "QUEUED", extra: 1 }],
    ["an unknown field of a request", "V1SmsSendRequest", { to: "+12025550100", message: "Hi", extra: 1 }],
    ["a missing field of a view", "V1MessageResponse", { messageId: "msg_1" }],
    ["a phone number with spaces", "PhoneNumber", "+1 202 555 0100"],
    ["an address without a domain", "EmailAddress", "dana@"],
    ["a null in a request", "V1EmailSendRequest", { to: "dana@patients.example", body: "Hi", subject: null }],
  ])("the check refuses %s", (_, name, value) => {
    expect(faultsOf(compile({ $ref: `#/components/schemas/${name}` }), value)).not.toEqual([]);
  });
});

describe("examples exist", () => {
  test("for every body", () => {
    expect(
      bodies.filter(({ operation }) => Object.keys(contentOf(operation.requestBody ?? {}).examples).length === 0),
    ).toEqual([]);
  });

  test("for every view", () => {
    const withBody = successes.filter(({ status }) => status !== 204);
    expect(withBody).toHaveLength(26);
    expect(withBody.filter(({ response }) => Object.keys(contentOf(response).examples).length === 0)).toEqual([]);
  });

  test("for every parameter and header", () => {
    const parameters = routes.flatMap(parametersOf);
    const headers = Object.values(at(document, "components", "headers")) as Node[];
    expect([...parameters, ...headers].filter((holder) => examplesOf(holder).length === 0)).toEqual([]);
  });
});

describe("problem codes", () => {
  test("each has one example under its name and one hint", () => {
    expect(Object.keys(problems).sort()).toEqual([...codes].sort());
    expect(Object.keys(at(document, "x-error-hints")).sort()).toEqual([...codes].sort());
  });

  test("each has an example with this code, and with the address of its page as type", () => {
    const found = codes.map((code) => {
      const { code: named, type } = at(problems, code, "value");
      return { code, named, type };
    });
    expect(found).toEqual(codes.map((code) => ({ code, named: code, type: PROBLEM_PAGES + code })));
  });

  test("each can be returned by an operation", () => {
    const returned = new Set(replies.flatMap(({ response }) => Object.keys(contentOf(response).examples)));
    expect(codes.filter((code) => !returned.has(code))).toEqual([]);
  });

  test("each reply that is an error is a problem, and names codes of its status", () => {
    const wrong = errors.filter(({ status, response }) => {
      const { mediaType, schema, examples } = contentOf(response);
      const ofStatus = Object.entries(examples).filter(([code, example]) => {
        const value = at(follow(example), "value");
        return value.code === code && value.status === status;
      });
      return (
        mediaType !== "application/problem+json" ||
        !isDeepStrictEqual(schema, problemSchema) ||
        ofStatus.length === 0 ||
        ofStatus.length < Object.keys(examples).length
      );
    });
    expect(errors).not.toEqual([]);
    expect(wrong.map(({ route, status }) => `${route.operation.operationId} ${status}`)).toEqual([]);
  });
});
