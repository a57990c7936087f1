// Splits the arguments of a tool into the parts of its request.

import { type Arguments, ToolFailure } from "./failure.ts";
import { filterable, merchantOf } from "./offered-tools.ts";
import type { ToolRecord } from "./tool-record.ts";

export interface ToolRequest {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown> | undefined;
  /** The caller's own key; undefined if there is none. */
  readonly idempotencyKey: string | undefined;
  /** The values that the elements of a list must have to be shown. */
  readonly filter: Arguments;
  /** The fields of them to show; undefined for the default. */
  readonly fields: readonly string[] | undefined;
}

/**
 * Returns the request. Values are not checked, except for those that this server reads itself: the service checks them.
 *
 * @param merchant to which the tools are bound
 * @throws {ToolFailure} Naming the argument.
 */
export function readRequest(tool: ToolRecord, given: Arguments, merchant: string | undefined): ToolRequest {
  refuseUnknownArguments(tool, given);
  const { filter, fields, ...rest } = given;
  const { idempotencyKey, ...args } = withMerchant(tool, rest, merchant);
  const missing = tool.input.required?.filter((name) => args[name] === undefined) ?? [];
  if (missing.length > 0) throw new ToolFailure("arguments_missing", `${tool.name} needs ${missing.join(", ")}`);
  const isQuery = (name: string) => tool.queryParameters.includes(name);
  const isPath = (name: string) => tool.pathParameters.includes(name);
  const unplaced = Object.keys(args).filter((name) => !isQuery(name) && !isPath(name));
  const part = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, args[name]]));
  return {
    path: part(tool.pathParameters),
    query: part(tool.queryParameters.filter((name) => args[name] !== undefined)),
    body: tool.method === "GET" ? undefined : part(unplaced),
    idempotencyKey: readKey(tool, idempotencyKey),
    filter: readFilter(tool, filter),
    fields: readFields(tool, fields),
  };
}

/** Refuses unknown arguments before the service would: a person who is asked is shown their names. */
function refuseUnknownArguments(tool: ToolRecord, given: Arguments): void {
  const known = [...Object.keys(tool.input.properties), ...(tool.reply.kind === "list" ? ["filter", "fields"] : [])];
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ToolFailure(
    "argument_unknown",
    `${tool.name} has no argument ${unknown.slice(0, 5).join(", ")}; expected ${known.length === 0 ? "none" : known.join(", ")}`,
  );
}

function withMerchant(tool: ToolRecord, args: Arguments, merchant: string | undefined): Arguments {
  if (merchant === undefined || merchantOf(tool) !== "argument") return args;
  if (args.merchantId !== undefined && args.merchantId !== merchant) {
    throw new ToolFailure("merchant_bound", `this server is bound to the merchant ${merchant}; leave merchantId out`);
  }
  return { ...args, merchantId: merchant };
}

function readKey(tool: ToolRecord, key: unknown): string | undefined {
  if (key === undefined || !tool.idempotent) return undefined;
  if (typeof key === "string" && /^[ -~]{1,255}$/.test(key)) return key;
  throw new ToolFailure("argument_invalid", "idempotencyKey: expected 1 to 255 printable ASCII characters");
}

function readFilter(tool: ToolRecord, filter: unknown): Arguments {
  if (filter === undefined || filter === null) return {};
  if (typeof filter !== "object" || Array.isArray(filter)) {
    throw new ToolFailure(
      "argument_invalid",
      'filter: expected an object of fields and values, such as {"channel": "SMS"}',
    );
  }
  refuseUnknown("filter", Object.keys(filter), filterable(tool.reply));
  return filter as Arguments;
}

function readFields(tool: ToolRecord, fields: unknown): readonly string[] | undefined {
  if (fields === undefined || fields === null) return undefined;
  if (!Array.isArray(fields) || fields.length === 0) {
    throw new ToolFailure("argument_invalid", "fields: expected a list with at least one name of a field");
  }
  refuseUnknown("fields", fields, "properties" in tool.reply ? Object.keys(tool.reply.properties) : []);
  return fields.map(String);
}

function refuseUnknown(argument: string, names: readonly unknown[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(String(name)));
  if (unknown.length === 0) return;
  throw new ToolFailure(
    "argument_invalid",
    `${argument}: ${unknown.slice(0, 5).join(", ")} is not a field; expected ${known.join(", ")}`,
  );
}
