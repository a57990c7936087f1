import { describe, expect, it } from "vitest";
import { defaultSpeechCommand, fillSpeechArguments, parseSpeechCommand, speechEnvironment } from "./speech.ts";

describe("parseSpeechCommand", () => {
  it("parses the default command", () => {
    expect(parseSpeechCommand(defaultSpeechCommand)).toEqual([
      "espeak-ng",
      "--stdin",
      "-v",
      "{language}",
      "-w",
      "{file}",
    ]);
  });

  it("splits at any white space", () => {
    expect(parseSpeechCommand("  piper\t--model  /voices/{voice}.onnx -f {file} ")).toEqual([
      "piper",
      "--model",
      "/voices/{voice}.onnx",
      "-f",
      "{file}",
    ]);
  });

  it.each([
    ["nothing", ""],
    ["only a program", "espeak-ng"],
    ["no file", "espeak-ng -v {language}"],
    ["{file} inside a longer argument", "speak --out={file}"],
    ["an unknown placeholder", "speak {text} {file}"],
    ["a placeholder as the program", "{voice} {file}"],
  ])("refuses a command with %s", (_what, text) => {
    expect(parseSpeechCommand(text)).toBeUndefined();
  });
});

describe("fillSpeechArguments", () => {
  const words = ["--model", "/voices/{voice}.onnx", "-v", "{language}", "{file}"];

  it("replaces the placeholders", () => {
    expect(fillSpeechArguments(words, { file: "/tmp/a.wav", language: "en-US", voice: "default" })).toEqual([
      "--model",
      "/voices/default.onnx",
      "-v",
      "en-US",
      "/tmp/a.wav",
    ]);
  });

  it("leaves a file's name unchanged", () => {
    expect(fillSpeechArguments(["{file}"], { file: "/a/$&{voice}", language: "en", voice: "x" })).toEqual([
      "/a/$&{voice}",
    ]);
  });

  it.each(["", "../../etc/passwd", "-f", "a b", "a;rm", "$(id)", "{file}", "x".repeat(65)])(
    "refuses the voice or language %j, because callers choose these",
    (name) => {
      expect(fillSpeechArguments(words, { file: "/f", language: "en", voice: name })).toBeUndefined();
      expect(fillSpeechArguments(words, { file: "/f", language: name, voice: "default" })).toBeUndefined();
    },
  );
});

it("the program gets the environment variables that it needs, and none of msgd's settings", () => {
  const found = { PATH: "/usr/bin", LANG: "C.UTF-8", LC_ALL: "C", ESPEAK_DATA_PATH: "/opt/data" };
  const kept = { MSGD_SECRET_KEY: "k", DATABASE_URL: "postgres://a:b@c/d", PGPASSWORD: "p", NODE_OPTIONS: "--x" };
  expect(speechEnvironment({ ...found, ...kept })).toEqual(found);
});
