// Holds replies against the contract: what the server's own tests are given never leaves it unnoticed.

import { type OperationId, operations } from "@msgctl/contract";
import { schemas } from "@msgctl/contract/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { addFormats } from "./http/formats.ts";

export interface CheckedReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a reply was: the operation, or undefined for a path that no operation has, and the problem's code if it is one. */
export interface Observed {
  readonly operationId: OperationId | undefined;
  readonly status: number;
  readonly code: string | undefined;
}

const paths = (Object.keys(operations) as OperationId[]).map((operationId) => {
  const { method, path } = operations[operationId];
  return { operationId, method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) };
});

/** Makes a check that lists what is wrong with a value by a component schema of the contract. */
export function createSchemaCheck(): (schemaName: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  addFormats(ajv);
  // replies keep to less than they take: milliseconds of UTC, and six decimals
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat("double", { type: "number", validate: (value: number) => Number(value.toFixed(6)) === value });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);

  return (schemaName, value) => {
    const validate = ajv.getSchema(schemaName);
    if (validate === undefined) throw new Error(`the contract has no schema ${schemaName}`);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${schemaName}${instancePath} ${message}`);
  };
}

/** Makes a check that throws, with all that is wrong, for a reply which the contract does not have. */
export function createContractCheck(): (request: { method: string; url: string }, reply: CheckedReply) => Observed {
  const findFaults = createSchemaCheck();

  function findProblemFaults(operationId: OperationId | undefined, reply: CheckedReply, code: string): string[] {
    const faults = findFaults("Problem", JSON.parse(reply.body));
    const type = String(reply.headers["content-type"]);
    if (!type.startsWith("application/problem+json")) faults.push(`a problem came as ${type}`);
    if (operationId === undefined) return faults;
    const errors: Readonly<Record<number, readonly string[]>> = operations[operationId].errors;
    // the path of an operation that has none of its own to miss is one that exists
    if (errors[reply.statusCode]?.includes(code) !== true) {
      faults.push(`${operationId} does not document ${reply.statusCode} ${code}`);
    }
    return faults;
  }

  function findSuccessFaults(operationId: OperationId, reply: CheckedReply): string[] {
    const { successStatus, responseSchema, responseIsArray, responseMediaType } = operations[operationId];
    const faults: string[] = [];
    if (reply.statusCode !== successStatus) faults.push(`${operationId} answered ${reply.statusCode}`);
    if (responseMediaType === null) return reply.body === "" ? faults : [...faults, "a reply without content has some"];
    const type = String(reply.headers["content-type"]);
    if (!type.startsWith(responseMediaType)) faults.push(`expected ${responseMediaType}, came as ${type}`);
    if (responseSchema === null) return faults;
    const view: unknown = JSON.parse(reply.body);
    if (!responseIsArray) return [...faults, ...findFaults(responseSchema, view)];
    if (!Array.isArray(view)) return [...faults, "expected a list"];
    return [...faults, ...view.flatMap((item) => findFaults(responseSchema, item))];
  }

  return ({ method, url }, reply) => {
    const [path = "/"] = url.split("?", 1);
    const operationId = paths.find((known) => known.method === method && known.pattern.test(path))?.operationId;
    const isSuccess = reply.statusCode < 300;
    const code = isSuccess ? undefined : String(JSON.parse(reply.body).code);
    const faults: string[] = [];
    if (typeof reply.headers["x-request-id"] !== "string") faults.push("no X-Request-Id");
    if (code !== undefined) faults.push(...findProblemFaults(operationId, reply, code));
    else if (operationId !== undefined) faults.push(...findSuccessFaults(operationId, reply));
    if (faults.length > 0) {
      throw new Error(
        `${method} ${path} left the contract: ${faults.join("; ")}. It answered: ${reply.body.slice(0, 2_000)}`,
      );
    }
    return { operationId, status: reply.statusCode, code };
  };
}
