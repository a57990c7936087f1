import { parseRateLimit, RATE_WORDS } from "../rules/rate-limits.ts";
import { viewTime } from "../rules/view-time.ts";
import { ConfigError } from "../settings/config.ts";
import { noteDecision } from "../steps/operator-audit.ts";
import type { Transaction } from "../store/store.ts";
import { endSessionsOfTenant, holdStanding, saveStanding, type TenantStanding } from "../store/tenant-standings.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, OutputFlags } from "./environment.ts";
import { readDecider, readTenantId, readText } from "./flags.ts";
import { print, toPrintable } from "./output.ts";

interface CommonFlags extends OutputFlags {
  readonly by: string;
}

const LONGEST_REASON = 200;

/** `msgd tenants disable`: refuses the tenant's requests and sign-ins, and has what it sends wait, until it is enabled. */
export async function runTenantsDisable(
  id: string,
  flags: CommonFlags & { reason: string },
  environment: CommandEnvironment,
): Promise<void> {
  const disabledReason = readText("--reason", flags.reason, LONGEST_REASON);
  const { isRepeat } = await change(id, { ...flags, operation: "tenants disable" }, environment, {
    decide: (before, { by, now }) =>
      before.disabledAt === null ? { ...before, disabledAt: now, disabledReason, disabledBy: by } : undefined,
    target: `reason ${disabledReason}`,
    also: endSessionsOfTenant,
  });
  environment.output.err(
    isRepeat
      ? "It was disabled before: nothing has changed.\n"
      : "Within a second its keys are refused everywhere, its users are signed out, and nothing more of it is handed over:\nwhat waits stays QUEUED until it expires (msgd messages cancel ends it). Receipts, STOPs, unsubscribe links and callbacks go on.\n",
  );
}

/** `msgd tenants enable`: takes back that it was disabled. What waited goes on. */
export async function runTenantsEnable(id: string, flags: CommonFlags, environment: CommandEnvironment): Promise<void> {
  const enabled = { disabledAt: null, disabledReason: null, disabledBy: null };
  const { isRepeat } = await change(id, { ...flags, operation: "tenants enable" }, environment, {
    decide: (before) => (before.disabledAt === null ? undefined : { ...before, ...enabled }),
    target: "enabled",
  });
  environment.output.err(
    isRepeat
      ? "It is enabled: nothing has changed.\n"
      : "Within a second its keys work again, and what waits is handed over. Its users sign in anew.\n",
  );
}

/** `msgd tenants limit`: gives the tenant a rate of its own, in place of the server's, or with `--none` that again. */
export async function runTenantsLimit(
  id: string,
  flags: CommonFlags & { rate?: string; none?: boolean },
  environment: CommandEnvironment,
): Promise<void> {
  const rateLimit = readRate(flags);
  const { isRepeat } = await change(id, { ...flags, operation: "tenants limit" }, environment, {
    decide: (before) => (before.rateLimit === rateLimit ? undefined : { ...before, rateLimit }),
    target: `rate ${rateLimit ?? "the server's"}`,
  });
  environment.output.err(
    isRepeat
      ? "It had that rate before: nothing has changed.\n"
      : "It holds within a second, for all of its credentials together; each instance counts its own.\n",
  );
}

function readRate({ rate, none }: { rate?: string; none?: boolean }): string | null {
  if ((rate === undefined) !== (none === true)) throw new ConfigError("--rate, --none: expected one of them");
  if (rate === undefined) return null;
  if (parseRateLimit(rate) !== undefined) return rate;
  throw new ConfigError(`--rate: expected ${RATE_WORDS}, received "${toPrintable(rate)}"`);
}

interface Change {
  /** Returns what it is then; undefined if it is so already. */
  decide(before: TenantStanding, made: { by: string; now: number }): TenantStanding | undefined;
  readonly target: string;
  readonly also?: (tx: Transaction, tenantId: number) => Promise<void>;
}

async function change(
  id: string,
  flags: CommonFlags & { operation: string },
  environment: CommandEnvironment,
  { decide, target, also }: Change,
): Promise<{ isRepeat: boolean }> {
  const tenantId = readTenantId(id, "<id>");
  const made = { by: readDecider(flags.by), now: environment.clock.now() };
  let isRepeat = false;
  await withKnownStore(flags, environment, async (store) => {
    const standing = await store.write(async (tx) => {
      const before = await holdStanding(tx, tenantId);
      if (before === undefined) throw new Error(`there is no tenant ${tenantId}: msgd tenants list shows them`);
      const after = decide(before, made);
      isRepeat = after === undefined;
      if (after === undefined) return before;
      await saveStanding(tx, after);
      await also?.(tx, tenantId);
      await noteDecision(tx, { tenantId, ...made, operation: flags.operation, target });
      return after;
    });
    print(environment.output, flags.output, viewStanding(standing));
  });
  return { isRepeat };
}

function viewStanding({ tenantId, disabledAt, disabledReason, disabledBy, rateLimit }: TenantStanding) {
  return { tenantId: String(tenantId), ...viewDisabled({ disabledAt, disabledReason, disabledBy }), rateLimit };
}

/** Whether, since when and why a tenant is disabled, as commands print it. */
export function viewDisabled(standing: Pick<TenantStanding, "disabledAt" | "disabledReason" | "disabledBy">) {
  const { disabledAt, disabledReason, disabledBy } = standing;
  return {
    state: disabledAt === null ? "ACTIVE" : "DISABLED",
    disabledAt: viewTime(disabledAt),
    disabledReason,
    disabledBy,
  };
}
