// Disturbances of instances and their PostgreSQL under load. Each disturbance is undone when it ends.

import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Cut } from "../../../packages/server/src/testing/database-link.ts";
import type { ShutdownMode } from "../../../packages/server/src/testing/postgres/cluster.ts";
import type { Draws } from "./draws.ts";
import type { Instance, Instances } from "./instances.ts";

/** Range in milliseconds: longer than a message's lease of 20 seconds, so that other instances take over the claims. */
const BEYOND_LEASE_MS = [21_000, 26_000] as const;
const SHORT_MS = [0, 3_000] as const;
/** Smallest and largest number of times that the connections are cut. */
const CUTS = [1, 6] as const;
const LONGEST_PAUSE_MS = 500;

type Disturb = (instances: Instances, draws: Draws) => Promise<void>;

const disturb = {
  "one killed": (instances, draws) => killFor([pickOne(instances, draws)], instances, draws),
  "all killed": (instances, draws) => killFor(instances.all, instances, draws),
  "one paused": (instances, draws) => pauseBeyondLease(pickOne(instances, draws), draws),
  "one cut off": (instances, draws) => cutBeyondLease(pickOne(instances, draws), "silent", draws),
  "one cut off by resets": (instances, draws) => cutBeyondLease(pickOne(instances, draws), "reset", draws),
  "connections forgotten": async (instances, draws) => pickOne(instances, draws).link.forget(),
  // the third instance does all the work
  "one paused, one cut off": async (instances, draws) => {
    const [first, second] = draws.shuffle(instances.all);
    await Promise.all([
      first && pauseBeyondLease(first, draws),
      second && cutBeyondLease(second, draws.pick(["silent", "reset"]), draws),
    ]);
  },
  "connections cut": cutConnections,
  "PostgreSQL crashed": (instances, draws) => shutDownFor("immediate", instances, draws),
  "PostgreSQL restarted": (instances, draws) => shutDownFor("fast", instances, draws),
} satisfies Record<string, Disturb>;

export type DisturbanceKind = keyof typeof disturb;

export const disturbanceKinds = Object.keys(disturb) as [DisturbanceKind, ...DisturbanceKind[]];

/** Resolves once the disturbance has been undone. */
export async function runDisturbance(kind: DisturbanceKind, instances: Instances, draws: Draws): Promise<void> {
  await disturb[kind](instances, draws);
}

function pickOne({ all }: Instances, draws: Draws): Instance {
  const [one] = draws.shuffle(all);
  if (one === undefined) throw new Error("there is no instance");
  return one;
}

async function killFor(victims: readonly Instance[], instances: Instances, draws: Draws): Promise<void> {
  await Promise.all(victims.map((victim) => victim.kill()));
  await sleep(draws.between(...SHORT_MS));
  await instances.serve(victims);
}

async function pauseBeyondLease(instance: Instance, draws: Draws): Promise<void> {
  instance.pause();
  await sleep(draws.between(...BEYOND_LEASE_MS));
  instance.goOn();
}

async function cutBeyondLease({ link }: Instance, how: Cut, draws: Draws): Promise<void> {
  link.cut(how);
  await sleep(draws.between(...BEYOND_LEASE_MS));
  link.heal();
}

async function shutDownFor(mode: ShutdownMode, { postgres }: Instances, draws: Draws): Promise<void> {
  await postgres.shutDown(mode);
  await sleep(draws.between(...SHORT_MS));
  await postgres.startAgain();
}

/** Cuts all connections repeatedly. */
async function cutConnections({ postgres }: Instances, draws: Draws): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    for (let cuts = draws.between(...CUTS); cuts >= 0; cuts -= 1) {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await sleep(draws.between(0, LONGEST_PAUSE_MS));
    }
  } finally {
    await client.end();
  }
}
