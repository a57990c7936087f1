// Parses the subset of server-sent events (HTML, 9.2.6) that msgd sends: an event name and one line of data.

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Accepts the stream in chunks, split at any point. `take` returns the events that its chunk completes. */
export class EventParser {
  #rest = "";

  take(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const fields = new Map(block.split("\n").map((line) => splitLine(line)));
      const data = fields.get("data");
      return data === undefined ? [] : [{ event: fields.get("event") ?? "message", data }];
    });
  }
}

function splitLine(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
