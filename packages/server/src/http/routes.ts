// Adds a route to a Fastify app for each operation of an API.

import type { ApiOperationEntry } from "@msgctl/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import type { Caller } from "../domain/context.ts";
import type { AnyHandler, AnyInput, Visit } from "../domain/handler.ts";
import { Refusal } from "../domain/refusal.ts";
import type { CallerWaits } from "../platform/caller-waits.ts";
import type { Api } from "./api.ts";
import { type BodyRoom, LongBodies } from "./bodies/body.ts";
import { BODY_LIMIT_BYTES, type BodyCheck, bodyMissing, bodyTooLarge, createBodyCheck } from "./bodies/body-check.ts";
import type { Authenticate } from "./credentials/authentication.ts";
import type { LimitRate } from "./credentials/rate-limit.ts";
import { type Execution, executeAnswer, executeRead, executeWrite } from "./execution/execution.ts";
import {
  createItemwiseSender,
  createListSender,
  defaultReplyBounds,
  LongReplies,
  type ReplyBounds,
} from "./lists/list-replies.ts";
import type { NoteReply } from "./metrics/metrics.ts";
import { createFaultHook, type OperationFaults } from "./operation-faults.ts";
import { requireAcceptable } from "./replies/accept.ts";
import { EventStreams } from "./replies/event-streams.ts";
import { createSendResult, requireThere } from "./replies/replies.ts";
import { createReplyNote } from "./replies/reply-notes.ts";
import { type Compilations, createAjv } from "./validation/ajv.ts";
import { createRequestValidators } from "./validation/validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The challenges of a 401 reply. @default `API_KEY_CHALLENGE` */
    challenges?: readonly string[];
  }
}

export interface RouteServices<Id extends string> extends Execution {
  /** Prefix of each operation's path. @default "" */
  readonly prefix?: string;
  readonly authenticatorOf: (operationId: Id) => Authenticator;
  readonly compilations: Compilations;
  readonly findHandler: (operationId: Id) => AnyHandler;
  /** Tells the dispatcher that a commit may have created work for it. */
  readonly notifyDispatcher: () => void;
  readonly timeReplies: (operationId: Id) => NoteReply;
  /** Records how long callers wait. */
  readonly waits?: CallerWaits | undefined;
  /** Undefined if there is no rate limit. */
  readonly limitRate?: LimitRate;
  /** Faults planned by a developer. */
  readonly faults?: OperationFaults;
  /** Called with each valid request. The handler runs after this resolves; if it rejects, the error is the reply. */
  readonly beforeHandler?: BeforeHandler | undefined;
  /** Creates the visit of a request. Required if an operation's handler uses visits. */
  readonly createVisit?: (request: FastifyRequest, reply: FastifyReply) => Visit;
  /** @default defaultReplyBounds */
  readonly replyBounds?: ReplyBounds;
  /** @default defaultBodyRoom */
  readonly bodyRoom?: BodyRoom;
  /** Parses and validates long bodies in a thread. @default in this thread */
  readonly checkBody?: BodyCheck | undefined;
}

export type BeforeHandler = (request: FastifyRequest, input: AnyInput) => Promise<void> | undefined;

export interface Authenticator {
  readonly authenticate: Authenticate;
  /** The challenges of a 401 reply (RFC 9110, 11.6.1). */
  readonly challenges: readonly string[];
}

/** Adds a route for every operation. Checks run in the order in which the contract lists their refusals. */
export function addRoutes<Id extends string>(app: FastifyInstance, api: Api<Id>, services: RouteServices<Id>): void {
  const { operations } = api;
  const ajv = services.compilations.later(() => createAjv(api.schemas));
  const createValidator = createRequestValidators(api, ajv, services.compilations);
  const { prefix = "", limitRate, replyBounds = defaultReplyBounds, bodyRoom } = services;
  const { checkBody = createBodyCheck(ajv) } = services;
  const long = new LongReplies(replyBounds);
  const options = {
    createValidator,
    long,
    streams: new EventStreams(),
  };
  const bodies = new LongBodies(bodyRoom);
  app.addHook("preClose", (done) => {
    long.stop();
    options.streams.stop();
    bodies.close();
    done();
  });
  for (const operationId of Object.keys(operations) as Id[]) {
    const operation = operations[operationId];
    const { authenticate, challenges } = services.authenticatorOf(operationId);
    const hasPathValues = operation.pathParameters.length > 0;
    app.route({
      method: operation.method,
      url: prefix + operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: {
        challenges,
        checkBody: (bytes, { caller }) => checkBody(operation.bodySchema, bytes, caller?.tenantId ?? 0),
      },
      ...responseSchema(operation),
      ...(services.faults === undefined ? {} : { preHandler: createFaultHook(operationId, services.faults) }),
      onRequest(request, reply, done) {
        if (hasPathValues) requirePathValues(request.params as Record<string, string>);
        request.operationId = operationId;
        const admit = (caller: Caller) => {
          request.caller = caller;
          limitRate?.(caller, reply);
          requireAcceptable(request.headers.accept, operation.responseMediaType);
          requireReadableSize(request);
          return bodies.admit(request, reply, caller.tenantId);
        };
        // the usual case, a cached key and a short body, needs no promise
        const caller = authenticate(request.headers);
        const admitted = caller instanceof Promise ? caller.then(admit) : admit(caller);
        if (admitted === undefined) done();
        else admitted.then(() => done(), done);
      },
      onResponse: createReplyNote(app, operationId, services.timeReplies(operationId), services.waits),
      handler: createHandler(api, operationId, services, options),
    });
  }
}

interface HandlerOptions<Id extends string> {
  readonly createValidator: ReturnType<typeof createRequestValidators<Id>>;
  readonly long: LongReplies;
  readonly streams: EventStreams;
}

function createHandler<Id extends string>(
  api: Api<Id>,
  operationId: Id,
  services: RouteServices<Id>,
  options: HandlerOptions<Id>,
): RouteHandlerMethod {
  const handler = services.findHandler(operationId);
  const run = createRun(api, operationId, handler, { services, ...options });
  const { findFaults } = "write" in handler ? handler : { findFaults: undefined };
  const validate = options.createValidator(
    operationId,
    findFaults && ((input) => findFaults(input, services.settings)),
  );
  const { bodySchema } = api.operations[operationId];
  const { beforeHandler } = services;
  // not an async function, because a promise per step would slow down every send
  return (request, reply) => {
    if (bodySchema !== null && request.body === undefined) throw bodyMissing();
    const input = { path: request.params, query: request.query, body: request.body };
    // the client may have disconnected while a thread validated the body
    if (request.bodyFaults?.isValidated === true) requireThere(reply);
    validate(input, request.bodyFaults);
    if (beforeHandler === undefined) return run(request, reply, input);
    const prepare = async () => {
      await beforeHandler(request, input);
      requireThere(reply);
      run(request, reply, input);
    };
    prepare().catch((error) => reply.send(error));
  };
}

/** Handles a valid request and sends the reply. May throw before anything is done. */
type Run = (request: FastifyRequest, reply: FastifyReply, input: AnyInput) => void;

function createRun<Id extends string>(
  api: Api<Id>,
  operationId: Id,
  handler: AnyHandler,
  { services, long, streams }: HandlerOptions<Id> & { readonly services: RouteServices<Id> },
): Run {
  const operation = api.operations[operationId];
  if ("list" in handler) {
    const sendList = createListSender(services, long, handler, operation.successStatus);
    return (request, reply, input) => sendList(reply, callerOf(request), input);
  }
  if ("stream" in handler) return (request, reply, input) => streams.send(reply, handler, callerOf(request), input);
  if ("read" in handler && handler.itemwise !== undefined) {
    const { compilations } = services;
    const itemwise = { api, operationId, operation: handler, itemwise: handler.itemwise, compilations };
    const sendItemwise = createItemwiseSender(services, long, itemwise);
    return (request, reply, input) => sendItemwise(reply, callerOf(request), input);
  }
  const sendResult = createSendResult(operation);
  if ("visit" in handler) {
    const { createVisit } = services;
    if (createVisit === undefined) throw new Error("an operation that uses visits needs createVisit");
    return (request, reply, input) => {
      handler.visit(createVisit(request, reply), input, callerOf(request)).then(
        (result) => sendResult(reply, result),
        (error) => reply.send(error),
      );
    };
  }
  const execute =
    "answer" in handler
      ? executeAnswer(handler)
      : "read" in handler
        ? executeRead(handler, services)
        : executeWrite(handler, operationId, services);
  const { dispatches = false, schedules = false } = "write" in handler ? handler : {};
  return (request, reply, input) => {
    execute(callerOf(request), input, request, () => requireThere(reply)).then(
      ({ result, replayed }) => {
        if (replayed) reply.header("Idempotent-Replayed", "true");
        if (dispatches && !replayed) services.notifyDispatcher();
        if (schedules && !replayed) services.notifyJobs();
        sendResult(reply, result);
      },
      (error) => reply.send(error),
    );
  };
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error("a request reached its handler without a caller");
  return request.caller;
}

/** Throws `route_not_found` for `/merchants/`, which the router matches as a merchant with an empty name. */
function requirePathValues(values: Readonly<Record<string, string>>): void {
  if (!Object.values(values).includes("")) return;
  throw new Refusal("route_not_found", "The path ends where an identifier is expected.");
}

/** Throws `payload_too_large` before the media type is checked. A body without a Content-Length is checked when read. */
function requireReadableSize(request: FastifyRequest): void {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > BODY_LIMIT_BYTES) throw bodyTooLarge(announced);
}

/** Returns the schema of the reply's serializer. */
function responseSchema({
  responseSchema: name,
  responseIsArray,
  successStatus,
}: ApiOperationEntry): Pick<RouteOptions, "schema"> {
  if (name === null) return {};
  const view = { $ref: `${name}#` };
  return { schema: { response: { [successStatus]: responseIsArray ? { type: "array", items: view } : view } } };
}
