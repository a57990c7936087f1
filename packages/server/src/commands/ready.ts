// Texts that a server prints when it listens, or when it cannot.

import { resolve } from "node:path";
import { styleText } from "node:util";
import type { DataFolder } from "../platform/data-folder.ts";
import { settings } from "../settings/settings.ts";

const send = "send sms --merchant-id demo --to +12025550100 --message Hello --type OTP";
const others = ["merchants get demo", "consent list"];

/** Returns the URL of a server. An IPv6 address is bracketed. */
export function formatUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Points to the documentation that the server itself serves. */
export function describeDocs(baseUrl: string): string {
  return `Documentation of every operation and error: ${baseUrl}/docs\n`;
}

/** Explains why a server cannot listen on its address, and what to do. */
export function describeListenFailure(
  error: unknown,
  { host, port, hostFlag }: { host: string; port: number; hostFlag: string },
): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is taken: stop what listens there, or choose another with --port`;
    case "EACCES":
      return `no permission to listen on port ${port} of ${host}: choose one from 1024 up with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${hostFlag}: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, received "${host}"`;
    default:
      return `cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Tells a developer where the demo tenant's credential is, and shows commands that work as they are. */
export function describeDemo(
  { path, demoCredentialFile }: DataFolder,
  { baseUrl, colour }: { baseUrl: string; colour: boolean },
): string {
  // in the default folder msgctl finds the demo credential without variables
  const isDefault = resolve(path) === resolve(settings.data.fallback);
  const commands = [send, ...others].map((words) => {
    const command = `npx msgctl ${words}${isDefault ? " --profile demo" : ""}`;
    return `  ${colour ? styleText("cyan", command, { validateStream: false }) : command}`;
  });
  const credential = isDefault
    ? demoCredentialFile
    : `${demoCredentialFile}\n  msgctl takes it as MSGCTL_BASE_URL, MSGCTL_API_KEY and MSGCTL_API_SECRET: set these first.`;
  return `
  What your program sends, live: ${baseUrl}/dashboard

  Demo credential: ${credential}

  Try in a second terminal, in this folder:

${commands.join("\n")}

  Time, data and failures for tests: curl ${baseUrl}/control/clock (docs/control.md)

  Ctrl-C stops the server.
`;
}
