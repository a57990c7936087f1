/** Finds the target of a request that is only printed. It works without a credential and without an address. */
import type { Access } from "../../call/access/access.ts";
import { ConfigurationError } from "../../failures/errors.ts";
import { toBaseUrl } from "../../flags/base-url.ts";

/** Stands in for an unconfigured address; no host can have this name (RFC 2606). */
export const NO_ADDRESS = "http://address.invalid";

/**
 * Returns the address that `resolve` finds, else the first valid one of `given`, without the credential.
 * @throws {ConfigurationError} If the configuration is wrong, such as a profile that does not exist.
 */
export async function previewAccess(
  resolve: () => Access | Promise<Access>,
  given: readonly (string | undefined)[],
): Promise<Access> {
  const baseUrl = await findAddress(resolve, given);
  return { baseUrl: baseUrl ?? NO_ADDRESS, apiKey: "not-sent", apiSecret: "not-sent" };
}

async function findAddress(resolve: () => Access | Promise<Access>, given: readonly (string | undefined)[]) {
  try {
    return (await resolve()).baseUrl;
  } catch (error) {
    if (!isNothingConfigured(error)) throw error;
    return given.map((address) => address && toBaseUrl(address)).find(Boolean);
  }
}

/** Whether the error means that a credential or address is missing, as opposed to invalid. */
export function isNothingConfigured(error: unknown): boolean {
  return error instanceof ConfigurationError && /^(?:credentials|base_url)_missing$/.test(error.code);
}
