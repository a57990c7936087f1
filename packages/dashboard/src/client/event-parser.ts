// Parses server-sent events (HTML, 9.2.6), as far as msgd sends them: an event's name and one line of data.

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Takes pieces of text, cut anywhere, and returns the events that they complete. */
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
