// Signs in to the bundled server, where libraries may resolve differently than in tests of the sources.

import { afterAll, expect, it } from "vitest";
import { MsgdFolder } from "../e2e/msgd-process.ts";

const PASSWORD = "correct horse battery";

const folder = new MsgdFolder();
afterAll(() => folder.remove());

it("the bundle lets a user set a password, sign in, and keep the session by its cookie", async () => {
  folder.createTenant();
  const email = "ann@example.com";
  const { link } = folder.command<{ link: string }>("users", "create", "--tenant", "1", "--email", email);
  const { baseUrl } = await folder.serve();
  const post = (path: string, body: object | undefined, cookie = "") =>
    fetch(`${baseUrl}/dashboard/api/${path}`, {
      method: "POST",
      headers: { cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  const set = await post("password", { link: new URL(link).hash.slice(1), password: PASSWORD });
  expect([set.status, cookiesOf(set)]).toEqual([200, [expect.stringMatching(/^__Host-msgd-device=./)]]);
  const signedIn = await post("session", { email, password: PASSWORD });
  const [session = ""] = cookiesOf(signedIn).filter((cookie) => cookie.startsWith("__Host-msgd-session="));
  const refreshed = await post("session/refresh", undefined, session);
  expect([signedIn.status, refreshed.status]).toEqual([200, 200]);
  expect(cookiesOf(refreshed)).not.toContain(session);
});

function cookiesOf({ headers }: Response): string[] {
  return headers.getSetCookie().map((cookie) => cookie.split(";", 1).join());
}
