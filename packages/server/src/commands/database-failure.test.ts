import { describe, expect, it } from "vitest";
import { ReadOnlyByDefault } from "../platform/postgres/connections.ts";
import { withDatabaseServer } from "./failures.ts";

const url = "postgres://u:hunter2@db:5432/msgd?password=hunter2";
const failWith = (error: unknown) => withDatabaseServer(url, () => Promise.reject(error));
const coded = (code: string, more = {}) => Object.assign(new Error("words of the driver"), { code, ...more });

describe("a failure of the database server", () => {
  it.each<[unknown, string]>([
    [coded("ECONNREFUSED"), "nothing listens at postgres://u@db:5432/msgd: start PostgreSQL there"],
    [coded("ENOTFOUND"), "the host of postgres://u@db:5432/msgd has no address"],
    [coded("EHOSTUNREACH"), "cannot be reached (EHOSTUNREACH)"],
    [coded("ECONNRESET"), "was cut"],
    [coded("ENOENT", { syscall: "connect" }), "has no socket that can be opened"],
    [coded("08P01"), "the pooler at postgres://u@db:5432/msgd refused (words of the driver)"],
    [coded("28P01"), "postgres://u@db:5432/msgd refuses the password: correct it in DATABASE_URL"],
    [coded("28000"), "refuses the user (words of the driver)"],
    [coded("3D000"), "does not exist: create the database with createdb"],
    [coded("42501"), "may not do that (words of the driver): make it the owner"],
    [coded("25006"), "accepts no writes because it is a standby"],
    [new ReadOnlyByDefault(), "whose transactions are read-only: ALTER ROLE"],
    [coded("53300"), "has no connection left"],
    [coded("57P03"), "is starting up"],
    [coded("55P03"), "kept the command waiting too long"],
    [coded("53100"), "the disk of postgres://u@db:5432/msgd is full"],
    [coded("SELF_SIGNED_CERT_IN_CHAIN"), "is not trusted (words of the driver)"],
    [new Error("The server does not support SSL connections"), "does not support TLS"],
    [new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"), "requires a password"],
    [new Error("timeout expired"), "did not answer in time"],
    [new Error("Connection terminated unexpectedly"), "was cut"],
    [new Error("the store is closed", { cause: coded("ECONNREFUSED") }), "nothing listens at"],
  ])("is explained in plain words: %s", async (error, words) => {
    const explained = failWith(error);
    await expect(explained).rejects.toThrow(words);
    await expect(explained).rejects.not.toThrow("hunter2");
    await expect(explained).rejects.toHaveProperty("cause", error);
  });

  it.each([
    coded("ENOENT", { syscall: "open" }),
    coded("23505"),
    new TypeError("a mistake of ours"),
    "no error at all",
  ])("is passed on: %s", async (error) => {
    await expect(failWith(error)).rejects.toBe(error);
  });
});
