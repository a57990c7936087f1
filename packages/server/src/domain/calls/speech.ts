// Speech: its cache key, and the command that makes it.

import { hash } from "node:crypto";
import { canonicalText } from "../unicode.ts";

/** Increment this when existing speech must not be reused for the same request. */
const VERSION = 1;

/** The values that determine how speech sounds. */
interface SpeechRequest {
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  readonly language: string;
  readonly text: string;
}

/** The cache key of a speech. Texts that differ only in Unicode composition sound the same and share a key. */
export function speechKey({ provider, model, voice, language, text }: SpeechRequest): string {
  const request = { version: VERSION, provider, model, voice, language, text: text.normalize("NFC") };
  return hash("sha256", canonicalText(request), "hex");
}

/**
 * The default command: reads the text from standard input and writes a WAV file. espeak-ng has a voice for most
 * languages, but none for voice profiles.
 */
export const defaultSpeechCommand = "espeak-ng --stdin -v {language} -w {file}";

const PLACEHOLDERS = ["{file}", "{language}", "{voice}"] as const;
/** Values from requests that a command cannot mistake for a path or an option. */
const SAFE_NAME = /^[A-Za-z\d][\w-]{0,63}$/;

/** Splits a command at spaces; no shell is involved. Undefined unless one of the arguments is `{file}`. */
export function parseSpeechCommand(text: string): readonly [string, ...string[]] | undefined {
  const [program, ...words] = text.trim().split(/\s+/);
  const isKnown = (word: string) =>
    (word.match(/\{\w*\}/g) ?? []).every((placeholder) => PLACEHOLDERS.includes(placeholder as never));
  if (program === undefined || program === "" || program.includes("{")) return undefined;
  return words.includes("{file}") && words.every(isKnown) ? [program, ...words] : undefined;
}

/** Fills in the arguments for one speech; undefined if its language or voice is not a plain name. */
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

/** Environment variables passed to a speech program: paths, language and time zone. */
const GIVEN = /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH|XDG_\w+|ESPEAK_\w+)$/;

/**
 * The environment of the speech program, without msgd's variables: the program reads tenants' texts, and needs neither
 * the secret key nor the database.
 */
export function speechEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => GIVEN.test(name)));
}

type Environment = Readonly<Record<string, string | undefined>>;
