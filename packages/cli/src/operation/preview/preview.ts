/** `--dry-run` and `--curl`: the request is printed instead of sent. */
import { parseJson } from "@msgctl/sdk";
import type { Call } from "../../call/connection.ts";
import { InputError } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import type { Input, Output } from "../../model/record.ts";
import { isObject, readField } from "../../output/fields.ts";
import { indentedJson } from "../../output/json/json.ts";
import { printable } from "../../output/printable.ts";
import { MASK } from "../../output/secrets.ts";
import type { Environment } from "../../process/io.ts";
import { formatPlaceholder } from "../request/filled-values.ts";
import { curlCommand } from "./curl.ts";
import { ADDRESS_VARIABLE, type PreparedRequest, prepareRequest } from "./prepared-request.ts";
import { CREDENTIAL_HEADERS, maskHeaders } from "./shown-headers.ts";

export interface Preview {
  /** The preview as text for people, with a trailing newline. */
  text: string;
  /** The preview as data for the other output formats. */
  data: Readonly<Record<string, unknown>>;
  /** Remarks for standard error. */
  remarks: string[];
}

interface PreviewOptions {
  preview: "request" | "curl";
  showSecrets: boolean;
}

/** Output description of a preview's data. */
export const PREVIEW_OUTPUT: Output = { kind: "object", columns: [], fields: [], secrets: [] };

/** Previews the call. @throws {InputError} If a curl command would show a secret of the body. */
export async function createPreview(call: Call, options: PreviewOptions, env: Environment): Promise<Preview> {
  const hidden = options.showSecrets ? [] : findSecrets(call);
  if (options.preview === "curl" && hidden.length > 0) throw secretInCommand(hidden);
  const request = await prepareRequest(call);
  return options.preview === "curl" ? asCurl(request, env) : asRequest(request, hidden, describeFills(call));
}

function findSecrets({ record, request: { body } }: Call): Input[] {
  return record.inputs.filter((input) => input.in === "body" && input.secret && findHolder(body, input.path));
}

function secretInCommand(hidden: readonly Input[]): InputError {
  const flags = hidden.map(formatInputName).join(", ");
  const message = `the command would show the secret of ${flags}; add --show-secrets to allow that, or use --dry-run instead`;
  return new InputError([{ where: "--curl", message }], []);
}

function describeFills({ record, request: { body } }: Call): string[] {
  const fillable = record.inputs.filter(
    (input) => input.fill !== undefined && readField(body, input.path.join(".")) === formatPlaceholder(input),
  );
  return fillable.map(
    (input) =>
      `msgctl reads ${formatInputName(input)} from the service when it sends the request; ${formatPlaceholder(input)} is a placeholder.`,
  );
}

function asRequest(request: PreparedRequest, hidden: readonly Input[], others: readonly string[]): Preview {
  const { method, url } = request;
  const headers = maskHeaders(request.headers);
  const body: unknown = request.body === undefined ? undefined : parseJson(request.body);
  for (const { path } of hidden) Reflect.set(findHolder(body, path) ?? {}, path.at(-1) ?? "", MASK);
  const lines = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body !== undefined) lines.push("", ...indentedJson(body).split("\n"));
  const isPlaceless = url.startsWith(ADDRESS_VARIABLE);
  return {
    text: lines.map((line) => `${printable(line)}\n`).join(""),
    data: { method, url, headers: Object.fromEntries(headers), body: body ?? null },
    remarks: [...(isPlaceless ? [`No address is configured; ${ADDRESS_VARIABLE} is a placeholder.`] : []), ...others],
  };
}

function asCurl(request: PreparedRequest, env: Environment): Preview {
  const command = curlCommand(request);
  const address = request.url.startsWith(ADDRESS_VARIABLE) ? [ADDRESS_VARIABLE.slice(1)] : [];
  const unset = [...address, ...Object.values(CREDENTIAL_HEADERS)].filter((name) => !env[name]);
  const remarks = unset.length === 0 ? [] : [`The command needs ${unset.join(", ")} in its environment.`];
  return { text: `${command}\n`, data: { curl: command }, remarks };
}

/** Returns the object in the body that has the value at `path`; undefined if the value is absent. */
function findHolder(body: unknown, path: readonly string[]): object | undefined {
  let holder = body;
  for (const name of path.slice(0, -1)) holder = isObject(holder) ? holder[name] : undefined;
  return isObject(holder) && Object.hasOwn(holder, path.at(-1) ?? "") ? holder : undefined;
}
