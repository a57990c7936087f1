/**
 * Replaces the MCP library's choice of a JSON Schema validator, which would bundle ajv (150 kB). The server validates nothing
 * by schema: the service checks the arguments of a tool, and a person's answer is a single yes.
 */
export { default as process } from "node:process";
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
