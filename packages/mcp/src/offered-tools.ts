// Selects the operations that are tools under the options, and describes them for a client.

import type { Tool } from "@modelcontextprotocol/server";
import type { Options } from "./options.ts";
import type { ReplyRecord, ToolRecord } from "./tool-record.ts";

export type Limits = Pick<Options, "allow" | "allowBillable" | "merchant">;

/** The largest number of elements of a list that is shown: more would fill the context of a model. */
export const MOST_SHOWN = 50;

/** The tools that exist under the limits. */
export function offeredTools(tools: readonly ToolRecord[], limits: Limits): readonly ToolRecord[] {
  return tools.filter((tool) => whyHidden(tool, limits) === undefined);
}

/** Explains why a tool does not exist under the limits, and how to change that; undefined if it does. */
export function whyHidden(tool: ToolRecord, { allow, allowBillable, merchant }: Limits): string | undefined {
  const isWrite = tool.method !== "GET";
  if (merchant !== undefined && merchantOf(tool) === undefined) {
    return `${tool.name} is not about one merchant, and this server was started with --merchant ${merchant}.`;
  }
  if (!isWrite) return undefined;
  const flags = [
    ...(allow.includes(tool.group) ? [] : [`--allow ${[...allow, tool.group].join(",")}`]),
    ...(tool.cost === undefined || allowBillable ? [] : ["--allow-billable"]),
  ];
  if (flags.length === 0) return undefined;
  return `${tool.name} changes something, which this server was not allowed to. Ask the person who runs it to start it with ${flags.join(" ")}.`;
}

/**
 * Finds where an operation names its merchant: in an argument, or in each view of its reply; undefined if nowhere. A write whose
 * reply alone names one does not count, since it would be done before that is known.
 */
export function merchantOf({ input, reply, method }: ToolRecord): "argument" | "reply" | undefined {
  if (Object.hasOwn(input.properties, "merchantId")) return "argument";
  const isNamed = "properties" in reply && Object.hasOwn(reply.properties, "merchantId");
  return isNamed && method === "GET" ? "reply" : undefined;
}

/** The tool as `tools/list` describes it. */
export function describeTool(tool: ToolRecord, { merchant }: Limits): Tool {
  const { name, title, method, cost } = tool;
  return {
    name,
    title,
    description: [tool.description, ...remarks(tool)].join(" "),
    inputSchema: describeInput(tool, merchant),
    outputSchema: describeReply(tool.reply),
    annotations: {
      title,
      readOnlyHint: method === "GET",
      destructiveHint: cost !== undefined,
      idempotentHint: method !== "POST",
    },
  };
}

function remarks({ cost, reply }: ToolRecord): string[] {
  return [
    ...(cost === "billable" ? ["Costs money."] : []),
    ...(cost === "irreversible" ? ["Cannot be undone."] : []),
    ...(reply.kind === "list" ? [`Shows at most ${MOST_SHOWN}; narrow a longer list with filter.`] : []),
  ];
}

function describeInput({ input, reply }: ToolRecord, merchant: string | undefined): Tool["inputSchema"] {
  const { merchantId, ...others } = input.properties;
  const properties = merchant === undefined ? input.properties : others;
  const required = input.required?.filter((name) => Object.hasOwn(properties, name)) ?? [];
  return {
    type: "object",
    properties: { ...properties, ...listArguments(reply) },
    ...(required.length > 0 && { required }),
  } as Tool["inputSchema"];
}

/** The arguments with which a list is cut to what matters. */
function listArguments(reply: ReplyRecord): Record<string, object> {
  if (reply.kind !== "list") return {};
  const names = Object.keys(reply.properties);
  return {
    filter: {
      type: "object",
      description: "Shows only elements in which these fields have these values.",
      properties: Object.fromEntries(filterable(reply).map((name) => [name, {}])),
      additionalProperties: false,
    },
    fields: {
      type: "array",
      items: { type: "string", enum: names },
      description: `Which fields to show. Default: ${reply.columns.join(", ")}.`,
    },
  };
}

/** The fields by which a list can be filtered: those with a single value. */
export function filterable(reply: ReplyRecord): string[] {
  if (reply.kind !== "list") return [];
  const isSingle = (schema: object) => !("properties" in schema) && !("items" in schema);
  return Object.entries(reply.properties).flatMap(([name, schema]) => (isSingle(schema) ? [name] : []));
}

/** No field is required: a list shows the fields that were chosen. */
function describeReply(reply: ReplyRecord): NonNullable<Tool["outputSchema"]> {
  const object = (properties: Record<string, object>) =>
    ({ type: "object", properties }) as NonNullable<Tool["outputSchema"]>;
  switch (reply.kind) {
    case "object":
      return object(reply.properties);
    case "list":
      return object({
        items: { type: "array", items: { type: "object", properties: reply.properties } },
        total: { type: "integer", description: "How many elements the list has that match the filter." },
      });
    case "text":
      return object({ text: { type: "string" } });
    case "none":
      return object({ done: { type: "boolean" } });
  }
}
