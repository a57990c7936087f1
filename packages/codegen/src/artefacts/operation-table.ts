import type { Artefact } from "../artefact.ts";
import { type ApiOperation, isIdempotent, type Operation } from "../model.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/contract/src/generated/operations.ts",
  render: ({ operations }) =>
    renderTable(operations.map(entryOf), { type: "OperationEntry", from: "../operation-entry.ts" }),
};

/** The table of operations that are not commands of msgctl. */
export function renderPlainTable(operations: readonly ApiOperation[]): string {
  return renderTable(operations.map(plainEntryOf), { type: "ApiOperationEntry", from: "@msgctl/contract" });
}

function renderTable(
  entries: readonly { readonly operationId: string }[],
  { type, from }: { type: string; from: string },
): string {
  const table = Object.fromEntries(entries.map((entry) => [entry.operationId, entry]));
  return [
    `import type { ${type} } from "${from}";`,
    "",
    `export const operations = ${literal(table)} as const satisfies Record<string, ${type}>;`,
    "",
  ].join("\n");
}

function entryOf(operation: Operation) {
  const { operationId, method, path, tag, ...others } = plainEntryOf(operation);
  const { group, name, identity } = operation.command;
  return { operationId, method, path, tag, group, name, ...others, identity };
}

function plainEntryOf(operation: ApiOperation) {
  const { operationId, method, path, tag, parameters, body, success, errors } = operation;
  const namesIn = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  return {
    operationId,
    method,
    path,
    tag,
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
