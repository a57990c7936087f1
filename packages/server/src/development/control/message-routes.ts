import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import { callMessageId, readCallMessageId } from "../../rules/message-ids.ts";
import {
  type ListedMessage,
  listAllMessages,
  listUndialledCalls,
  type MessageFilter,
  type UndialledCall,
} from "../../store/message-list.ts";
import type { Transaction } from "../../store/store.ts";
import type { Control } from "./control.ts";
import type { ControlScope } from "./control-scope.ts";

const schema = {
  type: "object",
  required: [],
  properties: {
    messageId: { type: "string" },
    to: { type: "string" },
    channel: { type: "string", enum: CHANNEL_VALUES },
    limit: { type: "integer", minimum: 1, maximum: 1_000 },
  },
  additionalProperties: false,
};

const DEFAULT_LIMIT = 100;

/** `GET /messages?messageId=&to=&channel=&limit=`: lists the messages and calls of every tenant, newest first. */
export function addMessageRoutes({ scope, control, createCheck }: ControlScope): void {
  const check = createCheck(schema, "/query");
  scope.get("/messages", async ({ query }) => {
    check(query);
    const filter = { limit: DEFAULT_LIMIT, ...(query as Partial<MessageFilter>) };
    const messages = await control.store.read((tx) => listMessages(tx, filter));
    return Promise.all(messages.map((message) => viewMessage(message, control)));
  });
}

/** Includes calls not yet dialled, each under the id that it will be dialled with. */
async function listMessages(tx: Transaction, filter: MessageFilter): Promise<ListedMessage[]> {
  const { messageId, to, channel = "VOICE", limit } = filter;
  const requestId = messageId === undefined ? undefined : readCallMessageId(messageId);
  const mayBeCall = channel === "VOICE" && (messageId === undefined || requestId !== undefined);
  const calls = mayBeCall ? await listUndialledCalls(tx, { requestId, to, limit }) : [];
  const undialled = calls.map(toMessage).filter((call) => messageId === undefined || call.messageId === messageId);
  return [...(await listAllMessages(tx, filter)), ...undialled]
    .sort((one, other) => (one.messageId < other.messageId ? 1 : -1))
    .slice(0, limit);
}

function toMessage({ requestId, finalStatus, ...call }: UndialledCall): ListedMessage {
  const status = finalStatus === "FAILED" ? "FAILED" : "QUEUED";
  return { messageId: callMessageId({ requestId, createdAt: call.createdAt }), ...call, status, attempts: 0 };
}

async function viewMessage({ tenantId, createdAt, updatedAt, ...message }: ListedMessage, { countSends }: Control) {
  return {
    ...message,
    tenantId: String(tenantId),
    providerSends: await countSends(message.messageId),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
