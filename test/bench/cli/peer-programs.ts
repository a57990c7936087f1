/** The tools that msgctl is compared with. Each is installed from the registry, and run as its users run it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { installPeers } from "../peers.ts";
import { peersFolder, peersManifestFolder } from "./places.ts";

export interface Peer {
  readonly name: string;
  /** Path below its folder. */
  readonly program: string;
  /** Command lines, by the row's name. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Keeps a tool from looking for a newer version of itself. */
const noNetwork = { HTTP_PROXY: "http://127.0.0.1:1", HTTPS_PROXY: "http://127.0.0.1:1", DO_NOT_TRACK: "1" };

/** Lists the peers. `origin` is the address of the service that answers their GET request. */
export function listPeers(origin: string): Peer[] {
  return [
    {
      name: "commander-fetch",
      program: "program.cjs",
      lines: { "commander + fetch, GET": ["merchants", "list", "--base-url", origin] },
    },
    {
      name: "oclif-hello",
      program: "run.cjs",
      lines: {
        "oclif hello --version": ["--version"],
        "oclif hello --help": ["--help"],
        "oclif hello, a leaf's help": ["hello", "--help"],
      },
    },
    {
      name: "stripe",
      program: "node_modules/@stripe/cli/bin/shim.js",
      env: { ...noNetwork, STRIPE_CLI_TELEMETRY_OPTOUT: "1" },
      lines: {
        "stripe --version": ["--version"],
        "stripe --help": ["--help"],
        "stripe, a leaf's help": ["customers", "create", "--help"],
      },
    },
    {
      name: "twilio-cli",
      program: "node_modules/twilio-cli/bin/run",
      // otherwise each start may start another process to update itself
      env: { ...noNetwork, TWILIO_DISABLE_AUTOUPDATE: "true", TWILIO_SKIP_NEW_VERSION_CHECK: "true" },
      lines: {
        "twilio --version": ["--version"],
        "twilio --help": ["--help"],
        "twilio, a leaf's help": ["api:core:messages:create", "--help"],
      },
    },
  ];
}

export interface InstalledPeer extends Peer {
  readonly folder: string;
  /** `name version` of the pinned package. */
  readonly title: string;
}

export interface Installation {
  readonly peers: readonly InstalledPeer[];
  /** Peers that are not measured, and why. */
  readonly missing: readonly string[];
}

/** Installs each peer into its folder unless it is installed already, and copies our program for it there. */
export async function installAll(peers: readonly Peer[]): Promise<Installation> {
  const installed: InstalledPeer[] = [];
  const missing: string[] = [];
  for (const peer of peers) {
    const folder = join(peersFolder, peer.name);
    const manifest = join(peersManifestFolder, peer.name);
    const { versions, missing: lacking, failure = "" } = await installPeers(manifest, folder);
    if (lacking.length > 0) {
      missing.push(`${lacking.join(", ")}${failure === "" ? "" : ` (${reasonIn(failure)})`}`);
      continue;
    }
    cpSync(manifest, folder, { recursive: true });
    installed.push({ ...peer, folder, title: [...versions].map((version) => version.join(" ")).join(", ") });
  }
  return { peers: installed, missing };
}

/** The line of npm's output that gives the reason. */
function reasonIn(failure: string): string {
  const lines = failure.trim().split("\n");
  return lines.find((line) => /^npm error (?!code|syscall|errno)/.test(line)) ?? lines[0] ?? "";
}
