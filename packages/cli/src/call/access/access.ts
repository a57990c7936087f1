import type { NamedProxy } from "../../process/config.ts";

/** Where to send a request and as whom. */
export interface Access {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Whether it is the demo server of the current folder. */
  isDemo?: true;
  /** The proxy that leads to the address. */
  proxy?: NamedProxy | undefined;
}
