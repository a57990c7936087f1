// The driver is a package of its own, installed by those who use PostgreSQL, and loaded with the first connection.

import type pg from "pg";

/** The version that the refusal names; package.json has the same. */
const DRIVER = "pg@8.23.1";

/** `DATABASE_URL` is set, and the driver is not installed. */
export class DriverMissing extends Error {
  override readonly name = "DriverMissing";

  constructor(options?: ErrorOptions) {
    super(`PostgreSQL needs its driver, which is not installed: npm install ${DRIVER}`, options);
  }
}

/** Loads the driver. Throws `DriverMissing` if it is not installed. */
export async function loadDriver(): Promise<typeof pg> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new DriverMissing({ cause: error }) : error;
  }
}
