import type { Views } from "@msgctl/dashboard/api";
import type { FollowedMessage } from "./message-stream.ts";

/** A message as JSON has it, with all of its text. */
export function viewWholeMessage(message: FollowedMessage): Views["WholeMessage"] {
  const { messageId, createdAt, merchantId, channel, type, status, reason, to, subject, content, project } = message;
  const about = { messageId, createdAt: new Date(createdAt).toISOString(), merchantId, channel, type, status, reason };
  return { ...about, to, project, subject, content };
}
