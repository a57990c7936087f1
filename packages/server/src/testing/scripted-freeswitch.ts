// For tests: FreeSWITCH's event socket. It answers as the test specifies, and records its commands.

import { type AddressInfo, createServer, type Socket } from "node:net";
import type { FreeSwitchSettings } from "../carriers/freeswitch/settings.ts";
import type { CallSurroundings } from "../carriers/kind.ts";
import type { SpeechFiles } from "../carriers/speech/engine.ts";

/** A server without calls in progress, and a tenant without phones. */
export const quietSurroundings: CallSurroundings = {
  listCallsUnderWay: async () => [],
  findPhones: async () => ({ domain: undefined, users: [] }),
  notePresence: async () => {},
};

/** Returns speech files that use one file for every speech. */
export function speechIn(fileOf: () => Promise<string>): SpeechFiles {
  return {
    ...{ name: "speaker", model: "speaker-1", voiceFor: () => "default" },
    synthesize: async () => ({ outcome: "made" }),
    find: async () => "made",
    fileOf,
  };
}

/** A call that the server was asked to place. */
export interface PlacedCall {
  readonly callId: string;
  readonly messageId: string;
  readonly mark: string;
  readonly to: string;
  readonly command: string;
}

const LOGIN = "Content-Type: auth/request\n\n";

export class ScriptedFreeSwitch {
  /** All received commands, in order. */
  readonly commands: string[] = [];
  readonly placed: PlacedCall[] = [];
  /** The ids of calls in progress. */
  readonly channels = new Set<string>();
  registrations: { reg_user: string; realm: string }[] = [];
  /** Sockets of all connections, including ended ones. */
  readonly sockets: Socket[] = [];
  password = "secret";
  /** Called for each call that is placed. @default begins the call */
  onCall: (call: PlacedCall) => void = (call) => this.begin(call);
  /** Whether the server acknowledges commands that place calls. */
  answersCalls = true;
  /** Returns the output of an `api` command; undefined for the usual output. */
  onApi: (command: string) => string | undefined = () => undefined;
  /** Whether the output of `api` commands waits for `release`. */
  holdsAnswers = false;
  readonly #held: (() => void)[] = [];
  /** Whether the server answers nothing at all. */
  isMute = false;
  readonly #server = createServer((socket) => this.#meet(socket));

  static async listen(port = 0): Promise<ScriptedFreeSwitch> {
    const freeswitch = new ScriptedFreeSwitch();
    await new Promise<void>((listening) => freeswitch.#server.listen(port, "127.0.0.1", listening));
    return freeswitch;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The settings of a carrier on this server. */
  settings(others: Partial<FreeSwitchSettings> = {}): FreeSwitchSettings {
    return {
      ...{ kind: "freeswitch", host: "127.0.0.1", port: this.port, password: "secret" },
      ...{ gateway: "carrier", callerId: "+12025550199", calls: 10, presence: false },
      ...others,
    };
  }

  /** Returns the last call, or the call of a message. */
  call(messageId?: string): PlacedCall {
    const found = this.placed.findLast((call) => messageId === undefined || call.messageId === messageId);
    if (found === undefined) throw new Error(`no call was placed for ${messageId ?? "anybody"}`);
    return found;
  }

  begin(call: PlacedCall): void {
    this.channels.add(call.callId);
    this.tell("CHANNEL_CREATE", call);
  }

  /** @param variables of the channel */
  end(call: PlacedCall, variables: Readonly<Record<string, string>>): void {
    this.channels.delete(call.callId);
    this.tell("CHANNEL_HANGUP_COMPLETE", call, variables);
  }

  /** Ends a call that was listened to completely. */
  endHeard(call: PlacedCall): void {
    const heard = { answer_epoch: "1772366400", billmsec: "61000", msgd_played: "FILE PLAYED" };
    this.end(call, { hangup_cause: "NORMAL_CLEARING", ...heard });
  }

  /** Reports the result of a command that placed a call, such as `-ERR INVALID_GATEWAY`. */
  endJob({ callId }: PlacedCall, words: string): void {
    this.send({ "Event-Name": "BACKGROUND_JOB", "Job-UUID": callId, _body: `${words}\n` });
  }

  tell(name: string, { callId, messageId, mark }: PlacedCall, variables: Readonly<Record<string, string>> = {}): void {
    const all = Object.entries({ msgd_message: messageId, msgd_carrier: mark, ...variables });
    const named = Object.fromEntries(all.map(([variable, value]) => [`variable_${variable}`, value]));
    this.send({ "Event-Name": name, "Unique-ID": callId, ...named });
  }

  /** Sends an event to all connections. */
  send(event: object): void {
    const body = JSON.stringify(event);
    const head = `Content-Length: ${Buffer.byteLength(body)}\nContent-Type: text/event-json\n\n`;
    for (const socket of this.sockets.filter(({ destroyed }) => !destroyed)) socket.write(head + body);
  }

  /** Sends all held answers, and stops holding answers. */
  release(): void {
    this.holdsAnswers = false;
    for (const print of this.#held.splice(0)) print();
  }

  /** Stops accepting connections and ends the open ones. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #meet(socket: Socket): void {
    this.sockets.push(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    if (!this.isMute) socket.write(LOGIN);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString();
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const command = text.slice(0, end);
        text = text.slice(end + 2);
        this.commands.push(command);
        if (!this.isMute) this.#answer(command, socket);
      }
    });
  }

  #answer(command: string, socket: Socket): void {
    const reply = (words: string) => socket.write(`Content-Type: command/reply\nReply-Text: ${words}\n\n`);
    const [verb = "", rest = ""] = command.split(/ (.*)/s);
    if (verb === "auth") reply(rest === this.password ? "+OK accepted" : "-ERR invalid");
    else if (verb === "event") reply("+OK event listener enabled json");
    else if (verb === "bgapi") {
      const call = readOriginate(command);
      this.placed.push(call);
      if (this.answersCalls) reply(`+OK Job-UUID: ${call.callId}`);
      this.onCall(call);
    } else {
      const printed = this.onApi(rest) ?? this.#print(rest);
      const print = () =>
        socket.write(`Content-Type: api/response\nContent-Length: ${Buffer.byteLength(printed)}\n\n${printed}`);
      if (this.holdsAnswers) this.#held.push(print);
      else print();
    }
  }

  #print(command: string): string {
    const [verb, name = ""] = command.split(" ");
    if (verb === "uuid_exists") return String(this.channels.has(name));
    if (command === "show channels as json") return printRows([...this.channels].map((uuid) => ({ uuid })));
    if (command === "show registrations as json") return printRows(this.registrations);
    if (verb === "sofia_contact") {
      const isThere = this.registrations.some(({ reg_user, realm }) => name === `${reg_user}@${realm}`);
      return isThere ? `sofia/internal/sip:${name}` : "error/user_not_registered";
    }
    return "UP 0 years";
  }
}

function printRows(rows: readonly object[]): string {
  return JSON.stringify(rows.length === 0 ? { row_count: 0 } : { row_count: rows.length, rows });
}

function readOriginate(command: string): PlacedCall {
  const variable = (name: string) => new RegExp(`[{,]${name}=([^,}]*)`).exec(command)?.[1] ?? "";
  return {
    callId: variable("origination_uuid"),
    messageId: variable("msgd_message"),
    mark: variable("msgd_carrier"),
    to: /\}sofia\/gateway\/[^/]+\/(\S+)/.exec(command)?.[1] ?? "",
    command,
  };
}
