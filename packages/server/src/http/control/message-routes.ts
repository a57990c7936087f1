import { type ListedMessage, listAllMessages, type MessageFilter } from "../../store/message-list.ts";
import type { Control } from "./control.ts";
import type { ControlScope } from "./control-routes.ts";

const schema = {
  type: "object",
  required: [],
  properties: {
    messageId: { type: "string" },
    to: { type: "string" },
    channel: { type: "string", enum: ["SMS", "VOICE", "EMAIL"] },
    limit: { type: "integer", minimum: 1, maximum: 1_000 },
  },
  additionalProperties: false,
};

const DEFAULT_LIMIT = 100;

/** `GET /messages?messageId=&to=&channel=&limit=`: every message of every tenant, newest first. */
export function addMessageRoutes({ scope, control, createCheck }: ControlScope): void {
  const check = createCheck(schema, "/query");
  scope.get("/messages", async ({ query }) => {
    check(query);
    const filter = { limit: DEFAULT_LIMIT, ...(query as Partial<MessageFilter>) };
    const messages = await control.store.read((tx) => listAllMessages(tx, filter));
    return messages.map((message) => viewMessage(message, control));
  });
}

function viewMessage({ tenantId, createdAt, updatedAt, ...message }: ListedMessage, { countSends }: Control) {
  return {
    ...message,
    tenantId: String(tenantId),
    providerSends: countSends(message.messageId),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
