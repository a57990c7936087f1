// A recipient's data, in the format of `msgd recipients export`.

import type { QueryOf, Views } from "../../api.ts";
import { ask } from "../../client/client.ts";

/** Limits of an export: the number of messages, and the total number of characters in their texts. */
const MOST = { messages: 10_000, characters: 64 * 1_024 * 1_024 };

export interface ExportedRecipient {
  readonly story: Omit<Views["RecipientView"], "mayReceive">;
  readonly messages: readonly Views["WholeMessage"][];
  /** Whether everything is included: all messages and all changes. */
  readonly isWhole: boolean;
  /** Whether all older messages have been indexed: otherwise some may be missing. */
  readonly isComplete: boolean;
}

/** @param told a function that is called with the number of messages received so far */
export async function exportRecipient(
  contact: string,
  { signal, told }: { readonly signal: AbortSignal; readonly told: (count: number) => void },
): Promise<ExportedRecipient> {
  const path = { contact };
  // what may be sent depends on the server, and is no data about the recipient
  const { mayReceive: _mayReceive, ...story } = await ask("getRecipient", { path, signal });
  const messages: Views["WholeMessage"][] = [];
  let cursor: string | null | undefined;
  let isComplete = true;
  let characters = 0;
  while (cursor !== null && messages.length < MOST.messages && characters < MOST.characters) {
    const query: QueryOf<"listRecipientMessages"> = cursor === undefined ? {} : { cursor };
    const page: Views["WholeMessagePage"] = await ask("listRecipientMessages", { path, query, signal });
    messages.push(...page.messages);
    for (const { content } of page.messages) characters += content.length;
    told(messages.length);
    isComplete &&= page.isComplete;
    cursor = page.next;
  }
  return { story, messages, isWhole: cursor === null && !story.hasMore, isComplete };
}

/** Returns the parts of a JSON text, one line per message. */
export function toJsonParts({ story, messages }: ExportedRecipient, exportedAt: string): string[] {
  const lines = messages.map((message, index) => `${index === 0 ? "" : ","}\n${JSON.stringify(message)}`);
  return [`${JSON.stringify({ ...story, exportedAt }).slice(0, -1)},"messages":[`, ...lines, "\n]}\n"];
}
