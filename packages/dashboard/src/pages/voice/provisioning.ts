// The voice provisioning without SIP passwords: a page has a password only after the user asks to see it.

import type { ResponseOf } from "@msgctl/contract";
import { call } from "../../client/client.ts";
import { type Answered, useLoaded } from "../use-answer.ts";

type Whole = ResponseOf<"getVoiceProvisioning">;

export type SipUser = Omit<Whole["sipUsers"][number], "password"> & { readonly hasPassword: boolean };
export type Provisioning = Omit<Whole, "sipUsers"> & { readonly sipUsers: readonly SipUser[] };

/** Short, because phones register and unregister often. Not shorter, because many passwords take the server long to read. */
const LOOK_MS = 5_000;

export function useProvisioning(): Answered<Provisioning> {
  const load = async (signal: AbortSignal) => withoutPasswords(await call("getVoiceProvisioning", { signal }));
  return useLoaded("getVoiceProvisioning", load, { everyMs: LOOK_MS });
}

export function withoutPasswords({ sipUsers, ...provisioning }: Whole): Provisioning {
  return {
    ...provisioning,
    sipUsers: sipUsers.map(({ password, ...user }) => ({ ...user, hasPassword: password !== null })),
  };
}

/** Returns the password of one user. Undefined if the user was removed or has no password. */
export async function readPassword(userId: SipUser["userId"]): Promise<string | undefined> {
  const { sipUsers } = await call("getVoiceProvisioning");
  return sipUsers.find((user) => user.userId === userId)?.password ?? undefined;
}
