import type { NamedProxy } from "../../process/config.ts";

/** Address and credential of a request. */
export interface Access {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Whether it is the demo server of the current folder. */
  isDemo?: true;
  /** The proxy that leads to the address. */
  proxy?: NamedProxy | undefined;
}
