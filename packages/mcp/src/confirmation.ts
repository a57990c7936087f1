// The question to a person before a call that costs money or cannot be undone.

import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { countSegments } from "@msgctl/contract/segments";
import { CONSEQUENCES, described, printable } from "msgctl/calls";
import { type Arguments, ToolFailure } from "./failure.ts";
import { recipientsOf, type SendBudget } from "./sends.ts";
import type { ToolRecord } from "./tool-record.ts";

const QUESTION = "confirm";

export interface Planned {
  readonly tool: ToolRecord;
  /** All values of the request, by name. */
  readonly values: Arguments;
  readonly body: Record<string, unknown> | undefined;
  /** Address of the service. */
  readonly baseUrl: string;
  /** Identifies the call: an answer to a question about another call does not count. */
  readonly subject: string;
}

/** The person's answers in a retried request, what they are about, and what the client can do. */
export interface Asked {
  readonly responses: Record<string, unknown> | undefined;
  readonly answered: string | undefined;
  readonly capabilities: ClientCapabilities | undefined;
}

/**
 * Returns the question to ask, or undefined if the person has said yes.
 *
 * @throws {ToolFailure} If the person said no, or the client cannot ask.
 */
export function askFirst(
  planned: Planned,
  budget: SendBudget,
  { responses, answered, capabilities }: Asked,
): InputRequiredResult | undefined {
  const answer = inputResponse(responses, QUESTION);
  // a client that repeats another call, or an old one, with an answer is asked again
  if (answer.kind === "elicit" && answered === planned.subject) {
    if (answer.action === "accept" && answer.content?.[QUESTION] === true) return undefined;
    throw new ToolFailure(
      "not_confirmed",
      "the person did not confirm; nothing was sent",
      "Do not try again unless they ask for it.",
    );
  }
  if (!canAsk(capabilities)) {
    throw new ToolFailure(
      "confirmation_impossible",
      `${planned.tool.title}: a person has to confirm this, and this client cannot ask (it lacks elicitation); nothing was sent`,
      "The person who runs this server can start it with --yes, or use msgctl.",
    );
  }
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: describePlan(planned, budget),
        requestedSchema: {
          type: "object",
          properties: {
            [QUESTION]: { type: "boolean", title: "Go ahead", description: planned.tool.title, default: false },
          },
          required: [QUESTION],
        },
      }),
    },
  });
}

/** Clients declare the kinds of questions that they can ask. Older ones declare none, and mean forms. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}

/** Describes the call, its recipients and its cost. Every value is on one line, so that none can look like a line of ours. */
export function describePlan({ tool, values, body, baseUrl }: Planned, budget: SendBudget): string {
  const recipients = recipientsOf(tool, body).length;
  return [
    `${tool.title}, at ${baseUrl}:`,
    ...Object.entries(values).map(
      ([name, value]) => `  ${name}: ${tool.recipients.includes(name) ? shownWhole(value) : shown(value)}`,
    ),
    ...(recipients > 0 ? [`Recipients: ${recipients}. ${budget.left} are left to this server (--max-sends).`] : []),
    ...describeSegments(tool, body),
    ...(tool.cost === undefined ? [] : [CONSEQUENCES[tool.cost]]),
  ].join("\n");
}

/** The longest email address. */
const LONGEST_RECIPIENT = 254;
const MOST_LISTED = 5;
const MOST_RECIPIENTS = 100;

/** Writes recipients, each in full: an address ends with its host. Other values are cut, so that they hide no recipient. */
function shownWhole(value: unknown): string {
  const all = [value].flat();
  const rest = all.length > MOST_RECIPIENTS ? ` and ${all.length - MOST_RECIPIENTS} more` : "";
  return `${all.slice(0, MOST_RECIPIENTS).map(shownRecipient).join(", ")}${rest}`;
}

function shownRecipient(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length > LONGEST_RECIPIENT) {
    throw new ToolFailure(
      "argument_invalid",
      `a recipient has ${text.length} characters; expected at most ${LONGEST_RECIPIENT}, in full`,
    );
  }
  return printable(text);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) {
    const rest = value.length > MOST_LISTED ? ` and ${value.length - MOST_LISTED} more` : "";
    return `${value.slice(0, MOST_LISTED).map(shown).join(", ")}${rest}`;
  }
  return described(typeof value === "string" || typeof value === "boolean" ? value : JSON.stringify(value));
}

/** An SMS costs a unit for each segment. */
function describeSegments({ command }: ToolRecord, body: Arguments | undefined): string[] {
  if (!/\bsms$/.test(command) || typeof body?.message !== "string") return [];
  const { segments } = countSegments(body.message);
  return [`Length: ${segments} SMS segment${segments === 1 ? "" : "s"}.`];
}
