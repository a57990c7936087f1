import type { Artefact } from "../artefact.ts";
import { isIdempotent, type Operation } from "../model.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/contract/src/generated/operations.ts",
  render({ operations }) {
    const table = Object.fromEntries(operations.map((operation) => [operation.operationId, entryOf(operation)]));
    return [
      'import type { OperationEntry } from "../operation-entry.ts";',
      "",
      `export const operations = ${literal(table)} as const satisfies Record<string, OperationEntry>;`,
      "",
    ].join("\n");
  },
};

function entryOf(operation: Operation) {
  const { operationId, method, path, tag, command, parameters, body, success, errors } = operation;
  const namesIn = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  return {
    operationId,
    method,
    path,
    tag,
    group: command.group,
    name: command.name,
    pathParameters: namesIn("path"),
    queryParameters: namesIn("query"),
    idempotent: isIdempotent(operation),
    bodySchema: body?.schemaName ?? null,
    successStatus: success.status,
    responseSchema: success.schemaName ?? null,
    responseIsArray: success.isArray,
    responseMediaType: success.mediaType ?? null,
    errors: Object.fromEntries(errors.map(({ status, codes }) => [status, codes])),
  };
}
