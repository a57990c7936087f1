import type { NamedProxy } from "../../process/config.ts";

/** The address and the credential that a request uses. */
export interface Access {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Set if this is the demo server of the current folder. */
  isDemo?: true;
  /** The proxy for requests to the address. */
  proxy?: NamedProxy | undefined;
}
