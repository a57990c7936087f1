/**
 * The profiles, calls and errors of msgctl for @msgctl/mcp, which imports this file as msgctl/calls and bundles it. Not
 * published.
 */
export type { Access } from "./call/access/access.ts";
export { resolveAccess } from "./call/access/resolve-access.ts";
export { type Answer, type Called, call } from "./call/connection.ts";
export { CliError } from "./failures/errors.ts";
export { hints } from "./generated/hints.ts";
export { CONSEQUENCES, described } from "./operation/questions/confirm-cost.ts";
export { printable } from "./output/printable.ts";
export { maskXml, replaceFields } from "./output/secrets.ts";
export { readSettings } from "./process/config.ts";
