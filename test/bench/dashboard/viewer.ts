// A viewer of the dashboard, without a browser.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Views } from "../../../packages/dashboard/src/api.ts";
import { EventParser } from "../../../packages/dashboard/src/client/event-parser.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const PASSWORD = "a password for benchmarks";

type MessagePage = Views["MessagePage"];
type MessageChanges = Views["MessageChanges"];

/** Invites a user of the data folder's first tenant. Returns the invitation link. */
export function inviteViewer(folder: string): { readonly email: string; readonly link: string } {
  const email = "bench@example.com";
  const args = ["users", "create", "--tenant", "1", "--email", email, "--data", folder, "-o", "json"];
  const output = execFileSync(process.execPath, [join(root, "bin/msgd"), ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { email, link: JSON.parse(output.toString()).link };
}

/** Sets the invited user's password. */
export async function acceptInvitation(port: number, { link }: { link: string }): Promise<void> {
  await post(port, "/dashboard/api/password", { link: new URL(link).hash.slice(1), password: PASSWORD });
}

async function post(port: number, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path} was refused: ${await reply.text()}`);
  return reply;
}

export class Viewer {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #ends = new AbortController();

  private constructor(port: number, token: string) {
    this.#baseUrl = `http://127.0.0.1:${port}/dashboard/api`;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  static async signIn(port: number, email: string): Promise<Viewer> {
    const reply = await post(port, "/dashboard/api/session", { email, password: PASSWORD });
    return new Viewer(port, ((await reply.json()) as Views["SessionToken"]).token);
  }

  async search(q: string, limit = 50): Promise<MessagePage> {
    const query = new URLSearchParams({ q, limit: String(limit) });
    const reply = await fetch(`${this.#baseUrl}/messages?${query}`, { headers: this.#headers });
    if (!reply.ok) throw new Error(`the search ${q} was refused: ${await reply.text()}`);
    return (await reply.json()) as MessagePage;
  }

  /** Opens a live view. Resolves when it is open. */
  async follow(q: string, tell: (changes: MessageChanges) => void = () => {}): Promise<void> {
    const { signal } = this.#ends;
    const reply = await fetch(`${this.#baseUrl}/messages/live?${new URLSearchParams({ q })}`, {
      headers: this.#headers,
      signal,
    });
    const { body } = reply;
    if (!reply.ok || body === null) throw new Error(`the view ${q} was refused: ${await reply.text()}`);
    await new Promise<void>((resolve, reject) => {
      const read = async () => {
        const parser = new EventParser();
        const decoder = new TextDecoder();
        for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
          for (const { event, data } of parser.take(decoder.decode(part, { stream: true }))) {
            if (event === "open") resolve();
            if (event === "messages") tell(JSON.parse(data) as MessageChanges);
          }
        }
      };
      read().catch((error) => {
        if (!signal.aborted) reject(error);
      });
    });
  }

  /** Closes the viewer's live views. */
  leave(): void {
    this.#ends.abort();
  }
}
