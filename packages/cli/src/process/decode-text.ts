/** Decodes the text of a file. Its first bytes tell the encoding: spreadsheets and PowerShell also write UTF-16. */

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

export interface TextStart {
  encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  hasMark: boolean;
}

/** The error if a file is not text or in an unsupported encoding. Its message continues the file's name: `is compressed: …`. */
export class NotText extends Error {
  override readonly name = "NotText";
}

const MARKS: readonly (readonly [bytes: readonly number[], encoding: Encoding])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

const OTHER_FILES: readonly (readonly [bytes: readonly number[], reason: string])[] = [
  [[0x1f, 0x8b], "is compressed: `gunzip` it first"],
  [[0x50, 0x4b, 0x03, 0x04], "is a workbook or a ZIP file: open it in the spreadsheet, and save it as CSV UTF-8"],
  [[0xd0, 0xcf, 0x11, 0xe0], "is a workbook of an old Excel: open it there, and save it as CSV UTF-8"],
];

const NOT_UTF_8 =
  "is not UTF-8 text: save it as UTF-8 (in a spreadsheet, CSV UTF-8), or convert it: `iconv -f WINDOWS-1252 -t UTF-8`";
const UNMARKED_UTF_16 =
  "has null bytes, as UTF-16 without its byte order mark: save it as UTF-8, or convert it by `iconv -f UTF-16LE -t UTF-8`";

/** @throws {NotText} If the first bytes identify a format that is not text. */
export function readTextStart(bytes: Uint8Array): TextStart {
  const begins = ([start]: readonly [readonly number[], unknown]) => start.every((byte, at) => bytes[at] === byte);
  const [, reason] = OTHER_FILES.find(begins) ?? [];
  if (reason !== undefined) throw new NotText(reason);
  const [, encoding] = MARKS.find(begins) ?? [];
  return { encoding: encoding ?? "utf-8", hasMark: encoding !== undefined };
}

/** Decodes a whole file, without its byte order mark. @throws {NotText} */
export function decodeText(bytes: Uint8Array): string {
  const { encoding } = readTextStart(bytes);
  return decodeStrictly(new TextDecoder(encoding, { fatal: true }), bytes);
}

/**
 * Decodes a file chunk by chunk. Invalid bytes are an error, so that no name garbled by a wrong encoding is sent. `onStart` is
 * called before the first text. @throws {NotText}
 */
export async function* decodeChunks(
  chunks: AsyncIterable<Uint8Array>,
  onStart: (start: TextStart) => void = () => {},
): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of whole(chunks)) {
    if (decoder === undefined) {
      const start = readTextStart(chunk);
      onStart(start);
      decoder = new TextDecoder(start.encoding, { fatal: true });
    }
    yield decodeStrictly(decoder, chunk, { stream: true });
  }
  if (decoder !== undefined) yield decodeStrictly(decoder);
}

/** Length of the longest signature that identifies a format. */
const START_BYTES = 4;

/** Yields the chunks. The first one has at least the length of the longest signature. */
async function* whole(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    if (start.length < START_BYTES) continue;
    yield start;
    start = undefined;
  }
  if (start !== undefined && start.length > 0) yield start;
}

function decodeStrictly(decoder: TextDecoder, bytes?: Uint8Array, options?: { stream: boolean }): string {
  let text: string;
  try {
    text = decoder.decode(bytes, options);
  } catch (error) {
    if (error instanceof TypeError) throw new NotText(NOT_UTF_8);
    throw error;
  }
  if (text.includes("\0")) throw new NotText(UNMARKED_UTF_16);
  return text;
}
