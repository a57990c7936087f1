import { version } from "../../package.json";

/** Formats `msgctl 0.1.0 (contract 0.1.0)`. */
export function versionLine(contractVersion: string): string {
  return `msgctl ${version} (contract ${contractVersion})`;
}
