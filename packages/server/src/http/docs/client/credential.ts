// The credential that the reader gave, in this page's memory alone: no storage, no cookie, no address holds it.

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

/** Asks the development server for the one it made. */
export async function askDemoCredential(): Promise<DemoCredential> {
  const reply = await fetch("/control/credential");
  if (!reply.ok) throw new Error(`The server gave no demo credential (${reply.status}).`);
  demo = (await reply.json()) as DemoCredential;
  return demo;
}

/** Whether what is done with the credential is done in the demo, where nothing is charged for. */
export function isDemo({ apiKey, apiSecret }: Credential): boolean {
  return demo !== undefined && demo.apiKey === apiKey && demo.apiSecret === apiSecret;
}
