// Sends success replies, creates their serializers, and reads Accept headers.

import { createRequire } from "node:module";
import { Readable } from "node:stream";
import type { ApiOperationEntry } from "@msgctl/contract";
import type { FastifyInstance, FastifyReply, FastifyServerOptions, onSendHookHandler } from "fastify";
import { Refusal } from "../../domain/refusal.ts";
import type { Compilations } from "../validation/ajv.ts";

/** Returns a function that sends an operation's result with the documented status and media type. */
export function createSendResult({
  successStatus,
  responseMediaType,
}: ApiOperationEntry): (reply: FastifyReply, result: unknown) => void {
  return (reply, result) => {
    reply.code(successStatus);
    if (responseMediaType === "application/xml") {
      reply.header("Content-Type", "application/xml; charset=utf-8").header("Cache-Control", "no-store");
    }
    reply.send(responseMediaType === null ? undefined : result);
  };
}

/** Discards the body of a streamed reply to HEAD. Node itself omits any other body. */
const endStream: onSendHookHandler = (request, _reply, payload, done) => {
  if (request.method !== "HEAD" || !(payload instanceof Readable)) {
    done(null, payload);
    return;
  }
  payload.destroy();
  done(null, null);
};

/** Makes all GET routes added later answer HEAD, too, with the headers of GET and no body (RFC 9110, 9.3.2). */
export function answerHead(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.method !== "GET") return;
    route.method = ["GET", "HEAD"];
    route.onSend = [...[route.onSend ?? []].flat(), endStream];
  });
}

type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;
export type Stringify = (value: unknown) => string;

// fast-json-stringify is loaded with the first serializer, to keep the start short
const require = createRequire(import.meta.url);

/** Makes Fastify compile each serializer when it is first needed. Requests are validated elsewhere. */
export function createCompilersFactory(compilations: Compilations): CompilersFactory {
  return {
    buildValidator: () => () => {
      throw new Error("a route asked Fastify to validate, which http/validation does");
    },
    buildSerializer: (schemas) => (route) => createSerializer(route.schema, schemas, compilations),
  };
}

/** Creates a JSON serializer for `schema`, which may refer to `schemas`. */
export function createSerializer(schema: unknown, schemas: unknown, compilations: Compilations): Stringify {
  const serializer = compilations.later<Stringify>(() => require("fast-json-stringify")(schema, { schema: schemas }));
  return (value) => serializer()(value);
}

/**
 * Throws if the client has disconnected, so that no work is begun for it. The refusal cannot be sent, but it is recorded.
 */
export function requireThere({ raw }: FastifyReply): void {
  if (raw.destroyed) throw clientGone();
}

export function clientGone(): Refusal {
  return new Refusal("unavailable", "The client disconnected before anything was done.");
}
