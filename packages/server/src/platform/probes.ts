// Where the server's own code meets a simulation: branches that it should have reached, and places where it can be made
// to do what it seldom does. Outside a simulation, both are a comparison with undefined.

/** Branches that are there for when something went wrong. A simulation has to reach each of them. */
export const probes = [] as const;

/** Places at which something rare, and allowed, happens as often as a simulation likes. */
export const sites = ["a group has no time left"] as const;

export type Probe = string;
export type Site = (typeof sites)[number];

export interface Observer {
  reached(probe: Probe): void;
  /** Whether the rare thing happens now. */
  happens(site: Site): boolean;
}

let observer: Observer | undefined;

/** Has a simulation watch this process; undefined ends it. */
export function observe(by: Observer | undefined): void {
  observer = by;
}

/** Tells a simulation that this branch was taken. */
export function reached(probe: Probe): void {
  observer?.reached(probe);
}

/** Whether to do what is seldom done; never outside a simulation. */
export function sometimes(site: Site): boolean {
  return observer?.happens(site) === true;
}
