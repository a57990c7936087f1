// Success replies: the JSON view, XML text, or no body.

import type { ApiOperationEntry } from "@msgctl/contract";
import type { FastifyReply } from "fastify";

/** Sends an operation's result with the status and media type of its document. */
export type SendResult = (reply: FastifyReply, result: unknown) => void;

export function createSendResult({ successStatus, responseMediaType }: ApiOperationEntry): SendResult {
  switch (responseMediaType) {
    case null:
      return (reply) => {
        reply.code(successStatus).send();
      };
    case "application/xml":
      return (reply, result) => {
        if (typeof result !== "string") throw new Error("an operation that replies in XML gave no text");
        reply
          .code(successStatus)
          .header("Content-Type", "application/xml; charset=utf-8")
          .header("Cache-Control", "no-store")
          .send(result);
      };
    default:
      return (reply, result) => {
        reply.code(successStatus).send(result);
      };
  }
}
