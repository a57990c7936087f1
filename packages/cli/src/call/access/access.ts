/** Where to send a request and as whom. */
export interface Access {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** It is the demo server of the present folder. */
  isDemo?: true;
}
