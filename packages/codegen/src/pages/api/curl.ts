// An operation as a curl command, with the contract's first example.
import { IDEMPOTENCY_HEADER, isIdempotent, type Operation, type Parameter } from "../../model.ts";
import { shellWord } from "../../shell.ts";

const HEADERS = ['-H "X-API-KEY: $MSGCTL_API_KEY"', '-H "X-API-SECRET: $MSGCTL_API_SECRET"'];

/** The request for a shell with msgctl's three variables set. */
export function formatCurl(operation: Operation): string {
  const { method, path, parameters, body } = operation;
  const values = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const target = values("path").reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(exampleOf(parameter))),
    path,
  );
  const query = values("query")
    .filter(({ required }) => required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  const url = `"$MSGCTL_BASE_URL${[target, ...(query.length > 0 ? [query.join("&")] : [])].join("?")}"`;
  const parts = [
    method === "GET" ? `curl ${url}` : `curl -X ${method} ${url}`,
    ...HEADERS,
    ...(isIdempotent(operation) ? [`-H "${IDEMPOTENCY_HEADER}: doc-$(date +%s)"`] : []),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d ${shellWord(JSON.stringify(body.examples[0]?.value ?? {}, null, 2))}`,
        ]),
  ];
  return parts.join(" \\\n  ");
}

function exampleOf({ name, schema }: Parameter): string {
  return String(schema.examples?.[0] ?? schema.enum?.[0] ?? name);
}
