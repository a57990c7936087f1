// The target of the checks: any server that claims to implement the contract, in this process or elsewhere, with a merchant
// that has one object of each kind.

import type { OperationId } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { type Credential, NotReachable, type Request, type Send } from "./send.ts";

/** Additional credentials that some codes need. Each may be missing. */
export interface OtherCredentials {
  /** A credential of another tenant than the target's. The checks may change that tenant's merchant `default`. */
  readonly spare?: Credential | undefined;
  /** A credential of one merchant of the target's tenant, not created by the checks. */
  readonly merchant?: Credential | undefined;
  /** A credential that was valid, and was revoked. */
  readonly revoked?: Credential | undefined;
}

/** Description of each of the other credentials. */
const otherCredentials: Readonly<Record<keyof OtherCredentials, string>> = {
  spare: "a credential of a spare tenant, whose merchant `default` may be changed",
  merchant: "a credential of one merchant of the tenant",
  revoked: "a credential that was revoked",
};

/** The target's credentials, and the means to keep its data apart. */
export interface Surroundings {
  readonly credential: Credential;
  readonly others: OtherCredentials;
  /** Prefix of every name that the checks invent, so that no name collides with existing data. */
  readonly prefix: string;
  /** Returns a number to register, different each time. */
  newNumber(): string;
  /** Waits for `ms` milliseconds of the server's clock, so that the server can work. */
  pause(ms: number): Promise<unknown>;
}

export interface Target<Reply extends CheckedReply = CheckedReply> extends Surroundings {
  readonly merchantId: string;
  /** Whether the tenant has a user whose presence can be reported. */
  readonly hasSipUser: boolean;
  send: Send<Reply>;
  /** A request with which the operation succeeds. @throws {NotReachable} If there is none. */
  request(operationId: OperationId): Request;
}

/** @throws {NotReachable} If the credential is missing. */
export function needOther({ others }: Target, name: keyof OtherCredentials): Credential {
  const credential = others[name];
  if (credential === undefined) throw new NotReachable(`needs ${otherCredentials[name]}`);
  return credential;
}

/** An id larger than any that a service has assigned. */
export const noSuchId = Number.MAX_SAFE_INTEGER;
