// Commands in the audit of the tenant that they are about: its admins see a key, a reset or an export, and whence it came.

import { noteDecision } from "../steps/operator-audit.ts";
import type { Transaction } from "../store/store.ts";
import type { CommandEnvironment } from "./environment.ts";

/** Notes what a command does, in the transaction that does it. */
export async function noteCommand(
  tx: Transaction,
  { env, clock }: Pick<CommandEnvironment, "env" | "clock">,
  entry: { tenantId: number; operation: string; target: string; subject?: string },
): Promise<void> {
  await noteDecision(tx, { ...entry, by: operatorOf(env), now: clock.now() });
}

/** The account of the machine, as the shell says: whoever runs commands could have it say anything. */
function operatorOf({ SUDO_USER, USER, LOGNAME }: NodeJS.ProcessEnv): string {
  const account = [SUDO_USER, USER, LOGNAME].find((name) => name !== undefined && name !== "");
  return account === undefined ? "operator" : `operator (${Array.from(account).slice(0, LONGEST_ACCOUNT).join("")})`;
}

const LONGEST_ACCOUNT = 64;
