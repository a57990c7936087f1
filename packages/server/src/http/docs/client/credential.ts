// The reader's credential, kept only in this page's memory: never in storage, cookies or URLs.

export interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface DemoCredential extends Credential {
  /** The merchant to try it with. */
  readonly merchantId: string;
}

let given: Credential | undefined;
let demo: DemoCredential | undefined;

export function rememberCredential(credential: Credential): void {
  given = credential;
}

export function knownCredential(): Credential | undefined {
  return given;
}

/** Fetches the development server's demo credential. */
export async function askDemoCredential(): Promise<DemoCredential> {
  const reply = await fetch("/control/credential");
  if (!reply.ok) throw new Error(`The server gave no demo credential (${reply.status}).`);
  demo = (await reply.json()) as DemoCredential;
  return demo;
}

/** Returns whether the credential is the demo's, where nothing is charged for. */
export function isDemo({ apiKey, apiSecret }: Credential): boolean {
  return demo !== undefined && demo.apiKey === apiKey && demo.apiSecret === apiSecret;
}
