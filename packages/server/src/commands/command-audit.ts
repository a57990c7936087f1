// Records commands in the tenant's audit, so that its admins see when the operator created a key, replaced a carrier or
// exported data.

import { noteDecision, type RecordedCommand } from "../domain/tenancy/operator-audit.ts";
import type { Transaction } from "../store/store.ts";
import type { CommandEnvironment } from "./environment.ts";

/** Records a command in the same transaction as its effects. Operators see the commands for `EVERY_TENANT`. */
export async function noteCommand(
  tx: Transaction,
  { env, clock }: Pick<CommandEnvironment, "env" | "clock">,
  entry: { tenantId: number; operation: RecordedCommand; target: string; subject?: string },
): Promise<void> {
  await noteDecision(tx, { ...entry, by: operatorOf(env), now: clock.now() });
}

/** Returns the account on this machine according to the shell's variables. They prove nothing: an operator may set them. */
function operatorOf({ SUDO_USER, USER, LOGNAME }: NodeJS.ProcessEnv): string {
  const account = [SUDO_USER, USER, LOGNAME].find((name) => name !== undefined && name !== "");
  return account === undefined ? "operator" : `operator (${Array.from(account).slice(0, LONGEST_ACCOUNT).join("")})`;
}

const LONGEST_ACCOUNT = 64;
