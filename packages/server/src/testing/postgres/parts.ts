// PostgreSQL itself, for a simulation whose worlds have one under them.

export { Connections, loadDriver } from "../../platform/postgres/connections.ts";
export { createSource, type DatabaseSource, dropSource, openDatabases } from "./databases.ts";
export { startPostgres } from "./server.ts";
