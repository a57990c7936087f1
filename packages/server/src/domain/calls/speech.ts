// Speech: the key of one that was made, and the command that makes it.

import { hash } from "node:crypto";
import { canonicalText } from "../unicode.ts";

/** Raised when earlier speech can no longer be used for the same request. */
const VERSION = 1;

/** The values on which the sound of speech depends. */
interface SpeechRequest {
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  readonly language: string;
  readonly text: string;
}

/** One key for each speech that has to be made: texts that differ in Unicode composition only sound the same. */
export function speechKey({ provider, model, voice, language, text }: SpeechRequest): string {
  const request = { version: VERSION, provider, model, voice, language, text: text.normalize("NFC") };
  return hash("sha256", canonicalText(request), "hex");
}

/**
 * The default command, which reads the text from standard input and writes a WAV file. espeak-ng has a voice for most
 * languages and none for profiles.
 */
export const defaultSpeechCommand = "espeak-ng --stdin -v {language} -w {file}";

const PLACEHOLDERS = ["{file}", "{language}", "{voice}"] as const;
/** Values of callers that a command cannot take for a path or an option. */
const SAFE_NAME = /^[A-Za-z\d][\w-]{0,63}$/;

/** Its words, split at spaces; undefined unless one of the arguments is `{file}`. No shell sees them. */
export function parseSpeechCommand(text: string): readonly [string, ...string[]] | undefined {
  const [program, ...words] = text.trim().split(/\s+/);
  const isKnown = (word: string) =>
    (word.match(/\{\w*\}/g) ?? []).every((placeholder) => PLACEHOLDERS.includes(placeholder as never));
  if (program === undefined || program === "" || program.includes("{")) return undefined;
  return words.includes("{file}") && words.every(isKnown) ? [program, ...words] : undefined;
}

/** The arguments for one speech; undefined if its language or voice is not a plain name. */
export function fillSpeechArguments(
  words: readonly string[],
  values: { file: string; language: string; voice: string },
): string[] | undefined {
  const { file, language, voice } = values;
  if (!SAFE_NAME.test(language) || !SAFE_NAME.test(voice)) return undefined;
  return words.map((word) =>
    word
      .replaceAll("{language}", language)
      .replaceAll("{voice}", voice)
      .replace("{file}", () => file),
  );
}

/** Variables that a speech program gets: paths, language and time zone. */
const GIVEN = /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH|XDG_\w+|ESPEAK_\w+)$/;

/**
 * The environment without msgd's variables: the program reads texts of tenants, and needs no secret key and no
 * database.
 */
export function speechEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => GIVEN.test(name)));
}

type Environment = Readonly<Record<string, string | undefined>>;
