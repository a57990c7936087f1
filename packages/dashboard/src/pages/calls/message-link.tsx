import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useFoundMessages } from "../use-found-messages.ts";

export interface MessageLinkProps {
  readonly toNumber: string;
  readonly createdAt: string;
}

/**
 * Links to the message of a call: the voice message to the same number that was accepted in the same millisecond. If there
 * are several, links to all calls to the number.
 */
export function MessageLink({ toNumber, createdAt }: MessageLinkProps) {
  const next = new Date(Date.parse(createdAt) + 1).toISOString();
  const q = `to:${toNumber} channel:voice after:${createdAt} before:${next}`;
  const { answer } = useFoundMessages(q, { most: 2 });
  const [message, ...others] = answer?.messages ?? [];
  if (message !== undefined && others.length === 0) {
    const { messageId } = message;
    return <Link to={{ page: "message", messageId }}>{messageId}</Link>;
  }
  return <Link to={{ ...allMessages, query: `to:${toNumber} channel:voice` }}>All calls to this number</Link>;
}
