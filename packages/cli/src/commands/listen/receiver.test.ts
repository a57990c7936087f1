import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReceiver, type ReceiverOptions } from "./receiver.ts";

describe("the receiver", () => {
  /** Longer than any complete request takes, even on a busy machine. */
  const LONG_MS = 60_000;
  const bounds = { bodyBytes: 10, connections: 2, checkMs: 20 };

  async function open(options: Partial<ReceiverOptions> = {}, requestMs = LONG_MS) {
    const refused: string[] = [];
    const receiver = await openReceiver(
      {
        ...{ host: "127.0.0.1", port: 0, path: undefined, take: async () => ({ status: 200 }) },
        refused: (_line, reason) => refused.push(reason),
        answered: () => {},
        ...options,
      },
      { ...bounds, requestMs },
    );
    onTestFinished(() => receiver.close(0));
    return { ...receiver, refused, port: Number(new URL(receiver.url).port) };
  }

  /** Sends the text, and returns the whole answer until the connection is closed. */
  function send(port: number, text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      let answer = "";
      socket.setEncoding("latin1").on("data", (part: string) => {
        answer += part;
      });
      socket.on("error", () => {}).on("close", () => resolve(answer));
      socket.write(text);
    });
  }

  it.each([
    ["headers that never end", "POST / HTTP/1.1\r\nhost: a\r\nx-slow: 1\r\n", "408", 100],
    ["a body that never arrives", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n1", "408", 100],
    ["a body whose Content-Length is too large", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 11\r\n\r\n", "413"],
    [
      "a chunked body that is too large",
      "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nb\r\n12345678901\r\n",
      "413",
    ],
    ["data that is not HTTP", "hello\r\n\r\n", "400"],
  ])("refuses %s", async (_what, text, status, requestMs = LONG_MS) => {
    const { port } = await open({}, requestMs);
    expect(await send(port, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("accepts only POST requests to its path, and none that a browser sent for a web page", async () => {
    const { port, refused } = await open({ path: "/hook" });
    const ask = async (line: string, headers = "") =>
      (await send(port, `${line} HTTP/1.1\r\nhost: a\r\n${headers}connection: close\r\n\r\n`)).slice(9, 12);
    expect(await ask("POST /hook?a=1")).toBe("200");
    expect(await ask("POST /other")).toBe("404");
    expect(await ask("GET /hook")).toBe("405");
    // old browsers send only Origin, and some requests have only Sec-Fetch-Site
    expect(await ask("POST /hook", "origin: http://evil.example\r\n")).toBe("403");
    expect(await ask("POST /hook", "sec-fetch-site: same-origin\r\n")).toBe("403");
    expect(refused).toHaveLength(4);
  });

  it("limits the number of connections", async () => {
    const { port, close } = await open();
    const idle = [send(port, ""), send(port, "")];
    expect(await send(port, "POST / HTTP/1.1\r\nhost: a\r\n\r\n")).toBe("");
    await close(0);
    expect(await Promise.all(idle)).toEqual(["", ""]);
  });

  it("waits up to the grace period for requests in flight when it is closed", async () => {
    let release = () => {};
    const taken = new Promise<void>((begun) => {
      release = begun;
    });
    const { url, close } = await open({
      take: () => {
        release();
        return new Promise(() => {});
      },
    });
    const answer = fetch(url, { method: "POST", body: "{}" }).catch(() => "closed");
    await taken;
    await close(10);
    expect(await answer).toBe("closed");
  });
});
