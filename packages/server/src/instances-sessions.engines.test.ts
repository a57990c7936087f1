// A session whose refreshes reach several instances.

import { afterEach, beforeEach, expect, it } from "vitest";
import { createUser } from "./domain/users/users.ts";
import { placeholderPages } from "./testing/dashboard-service.ts";
import { pepper } from "./testing/in-memory-service.ts";
import { type Instances, openInstances } from "./testing/instances.ts";

const PASSWORD = "correct horse battery staple";
const EMAIL = "ann@example.com";
const COOKIE = "__Host-msgd-session";

let instances: Instances;
beforeEach(async () => {
  instances = await openInstances(2, {
    dashboardFiles: placeholderPages(),
    passwordCost: { N: 2, r: 1, p: 1 },
  });
});
afterEach(() => instances.close());

async function post(instance: number, path: string, { body, cookie }: { body?: object; cookie?: string } = {}) {
  const reply = await (instances.services[instance] as Instances["services"][0]).app.inject({
    method: "POST",
    url: `/dashboard/api${path}`,
    headers: { host: "msgd.example", ...(cookie === undefined ? {} : { cookie: `${COOKIE}=${cookie}` }) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, cookie: reply.cookies.find(({ name }) => name === COOKIE)?.value ?? "" };
}

it("concurrent refreshes at any instances return the same successor, and a late refresh ends the session", async () => {
  const { services, clock } = instances;
  const store = (services[0] as Instances["services"][0]).store;
  const of = { tenantId: 1, merchantId: null, email: EMAIL, role: "admin" } as const;
  const { token: link } = await store.write((tx) => createUser(tx, { ...of, pepper, now: clock.now() }));
  await post(0, "/password", { body: { link, password: PASSWORD } });
  const { cookie } = await post(1, "/session", { body: { email: EMAIL, password: PASSWORD } });
  const replies = await Promise.all([0, 1, 0, 1].map((instance) => post(instance, "/session/refresh", { cookie })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [next, ...others] = new Set(replies.map((reply) => reply.cookie));
  expect(others).toEqual([]);
  await clock.advanceBy(30_000);
  expect((await post(1, "/session/refresh", { cookie })).status).toBe(401);
  expect((await post(0, "/session/refresh", { cookie: next ?? "" })).status).toBe(401);
});
