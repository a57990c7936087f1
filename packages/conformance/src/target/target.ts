// What the checks talk to: any server that claims the contract, in this process or somewhere else, in which there is a
// merchant that has one of everything.

import type { OperationId } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { type Credential, NotReachable, type Request, type Send } from "./send.ts";

/** What a code takes beside the target's own credential, as far as it is there. */
export interface OtherCredentials {
  /** Of a whole tenant other than the target's, whose merchant `default` may be changed. */
  readonly spare?: Credential | undefined;
  /** Of one merchant of the target's tenant, which the checks have not made. */
  readonly merchant?: Credential | undefined;
  /** One that was good, and was revoked. */
  readonly revoked?: Credential | undefined;
}

/** What each of the other credentials is to be. */
const otherCredentials: Readonly<Record<keyof OtherCredentials, string>> = {
  spare: "a credential of a spare tenant, whose merchant `default` may be changed",
  merchant: "a credential of one merchant of the tenant",
  revoked: "a credential that was revoked",
};

/** What is the target's, and what is to be left alone in it. */
export interface Surroundings {
  readonly credential: Credential;
  readonly others: OtherCredentials;
  /** Before every name that is made up, so that nobody else has it. */
  readonly prefix: string;
  /** A number to register, other than all before. */
  newNumber(): string;
}

export interface Target<Reply extends CheckedReply = CheckedReply> extends Surroundings {
  readonly merchantId: string;
  /** Whether the tenant has a user whose presence can be reported. */
  readonly hasSipUser: boolean;
  send: Send<Reply>;
  /** What the operation is asked, so that it succeeds. @throws {NotReachable} When it cannot. */
  request(operationId: OperationId): Request;
}

/** @throws {NotReachable} When the credential is not there. */
export function needOther({ others }: Target, name: keyof OtherCredentials): Credential {
  const credential = others[name];
  if (credential === undefined) throw new NotReachable(`needs ${otherCredentials[name]}`);
  return credential;
}

/** Bigger than what any service has counted to. */
export const noSuchId = Number.MAX_SAFE_INTEGER;
