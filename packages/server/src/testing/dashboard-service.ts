// A server with a dashboard whose users sign in, for the tests of its operations.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { InjectOptions } from "fastify";
import type { Role } from "../domain/users/rules.ts";
import { createOperator, createUser } from "../domain/users/users.ts";
import type { InProcessOptions } from "../in-process.ts";
import { type InMemoryService, openInMemoryService, pepper } from "./in-memory-service.ts";

export const PASSWORD = "correct horse battery staple";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: what an operation answers is what a test is about
  readonly body: any;
}

export interface SignedIn {
  readonly userId: number;
  readonly email: string;
  readonly token: string;
}

export interface DashboardService {
  readonly service: InMemoryService;
  /** All lines of the log. */
  readonly logged: readonly string[];
  /** Sends a request below /dashboard/api, with a user's session or, in development, without one. */
  ask(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    options?: { as?: SignedIn; body?: object },
  ): Promise<Reply>;
  /** Adds a user and signs them in. */
  signIn(email: string, of?: { role?: Role; merchantId?: string | null; tenantId?: number }): Promise<SignedIn>;
  close(): Promise<void>;
}

let files: URL | undefined;

/** Returns a folder of minimal pages, which all suites of this process share. */
export function placeholderPages(): URL {
  if (files !== undefined) return files;
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>msgd</title>");
  writeFileSync(join(folder, "main-ABC.js"), "export {};");
  writeFileSync(join(folder, "style-ABC.css"), "p {}");
  files = pathToFileURL(`${folder}/`);
  return files;
}

export async function openDashboardService(options: InProcessOptions = {}): Promise<DashboardService> {
  const logged: string[] = [];
  const service = await openInMemoryService({
    dashboardFiles: placeholderPages(),
    log: (line) => logged.push(line),
    ...options,
  });
  const ask: DashboardService["ask"] = async (method, path, { as, body } = {}) => {
    const options: InjectOptions = {
      method,
      url: `/dashboard/api${path}`,
      headers: { host: "127.0.0.1:4800", ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }) },
    };
    if (body !== undefined) options.payload = body;
    const reply = await service.app.inject(options);
    const answer = reply.statusCode === 204 ? undefined : reply.json();
    return { status: reply.statusCode, headers: reply.headers, body: answer };
  };
  return {
    service,
    logged,
    ask,
    async signIn(email, { role = "admin", merchantId = null, tenantId = service.credential.tenantId } = {}) {
      const of = { tenantId, merchantId, email, pepper, now: service.clock.now() };
      const { user, token: link } = await service.store.write((tx) =>
        role === "operator" ? createOperator(tx, of) : createUser(tx, { ...of, role }),
      );
      await ask("POST", "/password", { body: { link, password: PASSWORD } });
      const { token } = (await ask("POST", "/session", { body: { email, password: PASSWORD } })).body;
      return { userId: user.userId, email, token };
    },
    close: () => service.close(),
  };
}
