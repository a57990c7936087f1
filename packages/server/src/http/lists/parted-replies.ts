// Replies that are one object with a list that may be long. A small one is read and sent at once; a large one's list is
// read and sent item by item, all from one snapshot (docs/decisions/0019).

import type { FastifyReply } from "fastify";
import type { AnyInput, AnyPartedRead, AnyRead, Caller, OperationContext } from "../../steps/operation.ts";
import type { Transaction } from "../../store/store.ts";
import type { Api } from "../api.ts";
import type { Execution } from "../execution/execution.ts";
import { createSerializer, type Stringify } from "../replies/serialization.ts";
import type { Compilations } from "../validation/compilations.ts";
import type { LongReplies } from "./long-replies.ts";

/** The least number of characters to send at once: writing a short item costs as much as reading it. */
const LEAST_PIECE = 16_384;

/** Reads and sends a reply. Throws refusals that need no look-up synchronously. */
export type SendParts = (reply: FastifyReply, caller: Caller, input: AnyInput) => void;

export class PartedReplies {
  readonly #execution: Execution;
  readonly #compilations: Compilations;
  readonly #long: LongReplies;

  constructor(execution: Execution, compilations: Compilations, long: LongReplies) {
    this.#execution = execution;
    this.#compilations = compilations;
    this.#long = long;
  }

  senderOf<Id extends string>(
    { operations, schemas }: Api<Id>,
    operationId: Id,
    operation: AnyRead,
    inParts: AnyPartedRead,
  ): SendParts {
    const { successStatus, responseSchema } = operations[operationId];
    const listSchema = { $ref: `${responseSchema}#/properties/${inParts.member}` };
    const serializeList = createSerializer(listSchema, schemas, this.#compilations);
    return (reply, caller, input) => {
      operation.authorize?.(caller, input);
      reply.code(successStatus);
      const serialize = reply.getSerializationFunction(String(successStatus)) as Stringify | undefined;
      if (serialize === undefined) throw new Error(`${operationId} has no serializer`);
      const asked = { operation, inParts, caller, input, serialize, serializeList };
      this.#send(reply, asked).catch((error) => this.#long.refuse(reply, error));
    };
  }

  async #send(reply: FastifyReply, asked: Asked): Promise<void> {
    const { operation, inParts, caller, input } = asked;
    const small = await this.#execution.store.read(async (tx) => {
      const context = this.#contextOf(tx, caller);
      return (await inParts.isNeeded(context, input)) ? undefined : { result: await operation.read(context, input) };
    });
    if (small !== undefined) reply.send(small.result);
    else await this.#long.send(reply, caller.tenantId, this.#textOf(asked));
  }

  async *#textOf({ inParts, caller, input, serialize, serializeList }: Asked): AsyncGenerator<string, void, undefined> {
    const { loop } = this.#long;
    const snapshot = await this.#execution.store.openSnapshot();
    try {
      const { frame, ids, readItem } = await loop.run(caller.tenantId, () =>
        inParts.read(this.#contextOf(snapshot.tx, caller), input),
      );
      const { before, after } = await loop.run(caller.tenantId, () => splitAt(serialize(frame), inParts.member));
      yield before;
      let piece = "";
      for (const [index, id] of ids.entries()) {
        const text = await loop.run(caller.tenantId, async () => serializeList([await readItem(id)]));
        // without the item's own brackets
        piece += (index === 0 ? "" : ",") + text.slice(1, -1);
        if (piece.length < LEAST_PIECE) continue;
        yield piece;
        piece = "";
      }
      yield piece + after;
    } finally {
      snapshot.end();
    }
  }

  #contextOf(tx: Transaction, caller: Caller): OperationContext {
    const { clock, settings } = this.#execution;
    return { tx, caller, now: clock.now(), settings };
  }
}

interface Asked {
  readonly operation: AnyRead;
  readonly inParts: AnyPartedRead;
  readonly caller: Caller;
  readonly input: AnyInput;
  /** Serializes the whole reply. */
  readonly serialize: Stringify;
  /** Serializes only the list. */
  readonly serializeList: Stringify;
}

/** Splits the JSON inside the brackets of the empty list `member`. */
function splitAt(json: string, member: string): { before: string; after: string } {
  // quotes within strings are escaped, so this can only match the member
  const opening = `"${member}":[`;
  const start = json.indexOf(`${opening}]`);
  if (start === -1) throw new Error(`a reply has no empty ${member}`);
  const end = start + opening.length;
  return { before: json.slice(0, end), after: json.slice(end) };
}
