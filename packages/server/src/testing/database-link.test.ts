import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DatabaseLink } from "./database-link.ts";

let database: Server;
let link: DatabaseLink;
let accepted: Socket[];
beforeEach(async () => {
  accepted = [];
  database = createServer((socket) => {
    accepted.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => socket.write(`heard ${bytes}`));
  });
  await once(database.listen(0, "127.0.0.1"), "listening");
  link = await DatabaseLink.open(`postgres://user:word@127.0.0.1:${(database.address() as AddressInfo).port}/name`);
});
afterEach(() => {
  link.close();
  for (const socket of accepted) socket.destroy();
  database.close();
});

/** A client's connection through the link, and all data that it received. */
function dial() {
  const client = connect(Number(new URL(link.url).port), "127.0.0.1");
  const heard: string[] = [];
  client.on("data", (bytes) => heard.push(String(bytes)));
  client.on("error", (error) => heard.push((error as NodeJS.ErrnoException).code ?? ""));
  client.on("end", () => heard.push("end"));
  return { client, heard };
}
const hears = (heard: readonly string[], what: readonly string[]) => expect.poll(() => heard).toEqual(what);

it("the link has the database's URL with its own port, and forwards data", async () => {
  const { client, heard } = dial();
  expect(link.url).toMatch(/^postgres:\/\/user:word@127\.0\.0\.1:\d+\/name$/);
  client.write("one");
  await hears(heard, ["heard one"]);
  accepted[0]?.end("bye");
  await hears(heard, ["heard one", "bye", "end"]);
});

it("the link holds data while it is cut silently, and forwards it when it is healed", async () => {
  const { client, heard } = dial();
  client.write("one");
  await hears(heard, ["heard one"]);
  link.cut("silent");
  client.write("two");
  const later = dial();
  later.client.write("three");
  // Wait for an answer on another connection: by then, any data that the link had let through would have arrived.
  const beside = await DatabaseLink.open(`postgres://127.0.0.1:${(database.address() as AddressInfo).port}`);
  const other = connect(Number(new URL(beside.url).port), "127.0.0.1");
  other.write("four");
  await once(other, "data");
  expect([heard, later.heard]).toEqual([["heard one"], []]);
  link.heal();
  await hears(heard, ["heard one", "heard two"]);
  await hears(later.heard, ["heard three"]);
  other.destroy();
  beside.close();
});

it("the link resets open and new connections while it is cut by resets", async () => {
  const { client, heard } = dial();
  client.write("one");
  await hears(heard, ["heard one"]);
  link.cut("reset");
  await hears(heard, ["heard one", "ECONNRESET"]);
  await hears(dial().heard, ["ECONNRESET"]);
  link.heal();
  const healed = dial();
  healed.client.write("two");
  await hears(healed.heard, ["heard two"]);
});

it("the link forwards nothing on connections that it has forgotten, but accepts new ones", async () => {
  const { client, heard } = dial();
  client.write("one");
  await hears(heard, ["heard one"]);
  link.forget();
  client.write("two");
  link.heal();
  const later = dial();
  later.client.write("three");
  await hears(later.heard, ["heard three"]);
  expect(heard).toEqual(["heard one"]);
  client.destroy();
});

it("the link closes a killed instance's database connection immediately or, if the link is cut, when it is healed", async () => {
  const { client, heard } = dial();
  client.write("one");
  await hears(heard, ["heard one"]);
  link.cut("silent");
  client.resetAndDestroy();
  expect(accepted[0]?.destroyed).toBe(false);
  link.heal();
  await expect.poll(() => accepted[0]?.destroyed).toBe(true);
});

it("the link resets connections to a database that does not exist", async () => {
  database.close();
  await hears(dial().heard, ["ECONNRESET"]);
});

it("the link can reset a connection in place of the answer to a commit, and forwards everything else", async () => {
  const commit = "C\0\0\0\u000bCOMMIT\0";
  let lost = 0;
  link.loseCommits(() => {
    lost += 1;
    return lost === 1;
  });
  const { client, heard } = dial();
  client.write("COMMIT");
  await hears(heard, ["heard COMMIT"]);
  client.write(commit);
  await hears(heard, ["heard COMMIT", "ECONNRESET"]);
  const later = dial();
  later.client.write(commit);
  await hears(later.heard, [`heard ${commit}`]);
});

it("the link leads to another database after retarget", async () => {
  const other = createServer((socket) => socket.end("other"));
  await once(other.listen(0, "127.0.0.1"), "listening");
  link.retarget(`postgres://127.0.0.1:${(other.address() as AddressInfo).port}/name`);
  await hears(dial().heard, ["other", "end"]);
  other.close();
});
