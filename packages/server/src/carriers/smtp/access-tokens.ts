// Access tokens for a login by XOAUTH2, from the token URL of an OAuth 2.0 server (RFC 6749, 4.4 and 6).

import type { Clock } from "../../platform/clock.ts";
import { ApiClient } from "../api-client.ts";

export interface OAuthSettings {
  /** URL of the authorization server's token endpoint. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** @default none: the client gets tokens with its own credentials */
  readonly refreshToken?: string;
  /** @default that of the refresh token */
  readonly scope?: string;
}

export interface AccessToken {
  readonly token: string;
  /** In epoch milliseconds. */
  readonly expiresAt: number;
}

const ANSWER_MS = 20_000;
/** A token is renewed this long before it expires. */
const EARLY_MS = 60_000;
/** Assumed if the server does not say how long a token is valid. */
const DEFAULT_SECONDS = 300;
/** A token that the mail server refuses is kept for this long: a new one would be refused, too. */
const LEAST_AGE_MS = 30_000;

/** Gets access tokens, and shares each one among all connections until it expires. */
export class AccessTokens {
  readonly #settings: OAuthSettings;
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #client: ApiClient;
  /** Replaced if the server issues a new one with an access token. */
  #refreshToken: string | undefined;
  #current: (AccessToken & { readonly issuedAt: number }) | undefined;
  #renewal: Promise<AccessToken> | undefined;

  constructor(settings: OAuthSettings, clock: Pick<Clock, "now" | "after">) {
    this.#settings = settings;
    this.#clock = clock;
    this.#refreshToken = settings.refreshToken;
    this.#client = new ApiClient(new URL(settings.tokenUrl).origin, { connections: 1, clock });
  }

  /** Returns a token. `isRefused` says that the mail server refused the last one. */
  async get(isRefused: boolean): Promise<AccessToken> {
    const now = this.#clock.now();
    const current = this.#current;
    if (current !== undefined && now < current.expiresAt - EARLY_MS) {
      if (!isRefused || now < current.issuedAt + LEAST_AGE_MS) return current;
    }
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  close(): void {
    this.#client.close();
  }

  async #renew(): Promise<AccessToken> {
    const { tokenUrl, clientId, clientSecret, scope } = this.#settings;
    const grant =
      this.#refreshToken === undefined
        ? { grant_type: "client_credentials" }
        : { grant_type: "refresh_token", refresh_token: this.#refreshToken };
    const form = {
      ...grant,
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    };
    const { pathname } = new URL(tokenUrl);
    const { status, body } = await this.#client.send({
      ...{ method: "POST", path: pathname, timeoutMs: ANSWER_MS },
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
    });
    const fields = readFields(body);
    const { access_token: token, refresh_token: next, expires_in: seconds } = fields;
    if (status !== 200 || typeof token !== "string" || token === "")
      throw new Error(`${tokenUrl} gave no access token: status ${status}${describe(fields)}`);
    if (typeof next === "string" && next !== "") this.#refreshToken = next;
    const issuedAt = this.#clock.now();
    const valid = Number(seconds) > 0 ? Number(seconds) : DEFAULT_SECONDS;
    this.#current = { token, issuedAt, expiresAt: issuedAt + valid * 1_000 };
    return this.#current;
  }
}

function readFields(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Describes an error (RFC 6749, 5.2). */
function describe({ error, error_description: words }: Readonly<Record<string, unknown>>): string {
  return [error, words].flatMap((part) => (typeof part === "string" ? [`, ${part}`] : [])).join("");
}
