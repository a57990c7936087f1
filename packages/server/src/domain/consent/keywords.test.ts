import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readKeyword } from "./rules.ts";

const standing = { optedOut: false };

describe("readKeyword", () => {
  it.each(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"])(
    "reads %s as an opt-out",
    (word) => {
      expect(readKeyword(word, standing)).toEqual({ action: "OPT_OUT", word });
    },
  );

  it.each([
    ["stop all.", "OPT_OUT", "STOPALL"],
    [" Stop! ", "OPT_OUT", "STOP"],
    ["S.T.O.P", "OPT_OUT", "STOP"],
    ["opt-out", "OPT_OUT", "OPTOUT"],
    ["ＳＴＯＰ", "OPT_OUT", "STOP"],
    ["start", "OPT_IN", "START"],
    ["Unstop", "OPT_IN", "UNSTOP"],
    ["help?", "HELP", "HELP"],
    ["Info", "HELP", "INFO"],
    ["please stop texting me", "OPT_OUT", "STOP"],
    ["Please STOP!", "OPT_OUT", "STOP"],
    ["stop, thank you", "OPT_OUT", "STOP"],
    ["Don’t text me, please.", "OPT_OUT", "STOP"],
    ["Remove me, thanks", "OPT_OUT", "STOP"],
    ["Please opt out", "OPT_OUT", "OPTOUT"],
    ["opt out please", "OPT_OUT", "OPTOUT"],
    ["Quit please", "OPT_OUT", "QUIT"],
    ["Revoke, thanks", "OPT_OUT", "REVOKE"],
    ["Stop texts", "OPT_OUT", "STOP"],
    ["STOP STOP", "OPT_OUT", "STOP"],
    ["stop. Stop! STOP", "OPT_OUT", "STOP"],
    ["STOP NOW", "OPT_OUT", "STOP"],
    ["Hello, stop now please", "OPT_OUT", "STOP"],
    ["STOP 🛑", "OPT_OUT", "STOP"],
    ["STOP\n\nSent from my iPhone", "OPT_OUT", "STOP"],
    ["Stop\nSent from my iPhone", "OPT_OUT", "STOP"],
    ["STOP\r\n\r\nAnn Smith\r\nSales, Acme", "OPT_OUT", "STOP"],
    ["unsubscribe\n--\nAnn Smith", "OPT_OUT", "UNSUBSCRIBE"],
    ["ARRET", "OPT_OUT", "ARRET"],
    ["arrêt", "OPT_OUT", "ARRÊT"],
    ["Parar", "OPT_OUT", "PARAR"],
    ["start please", "OPT_IN", "START"],
    ["help please!", "HELP", "HELP"],
  ] as const)("reads %j as %s, with the word %s", (text, action, word) => {
    expect(readKeyword(text, standing)).toEqual({ action, word });
  });

  it.each([
    "",
    " … ",
    "Thanks!",
    "When does the shop stop selling?",
    "stopping by at 5",
    "the end is near",
    "please cancel my appointment",
    "don't stop",
    "stop sent by mistake",
    "Stop it, will you?\n\nSent from my iPhone",
    "thank you now",
    "👍",
    "please",
  ])("reads %j as free text", (text) => {
    expect(readKeyword(text, standing)).toBeUndefined();
  });

  it("lets YES opt in only a recipient who has opted out", () => {
    expect(readKeyword("Yes!", { optedOut: true })).toEqual({ action: "OPT_IN", word: "YES" });
    expect(readKeyword("Yes!", { optedOut: false })).toBeUndefined();
  });

  it("also recognizes a campaign's words", () => {
    const campaignWords = { optOut: ["No más"], optIn: ["Join"], help: ["¿Ayuda?"] };
    const context = { optedOut: false, campaignWords };
    expect(readKeyword("no más", context)).toEqual({ action: "OPT_OUT", word: "NOMÁS" });
    expect(readKeyword("JOIN!", context)).toEqual({ action: "OPT_IN", word: "JOIN" });
    expect(readKeyword("ayuda", context)).toEqual({ action: "HELP", word: "AYUDA" });
  });

  it("never lets a campaign's words replace the standard ones", () => {
    const context = { optedOut: false, campaignWords: { optOut: [], optIn: ["STOP", "HELP"], help: ["START"] } };
    expect(readKeyword("STOP", context)?.action).toBe("OPT_OUT");
    expect(readKeyword("HELP", context)?.action).toBe("HELP");
    expect(readKeyword("START", context)?.action).toBe("OPT_IN");
  });

  it("matches a campaign's word before courtesies", () => {
    const context = { optedOut: false, campaignWords: { optIn: ["OK"] } };
    expect(readKeyword("ok!", context)).toEqual({ action: "OPT_IN", word: "OK" });
  });

  it("does not match an empty reply with a campaign word that consists of punctuation", () => {
    expect(readKeyword("...", { optedOut: false, campaignWords: { optIn: ["!"] } })).toBeUndefined();
  });

  it("recognizes STOP in any case, with any spaces and punctuation between and around its letters", () => {
    const noise = fc.stringMatching(/^[ .,!?*'"\n-]{0,3}$/);
    fc.assert(
      fc.property(
        fc.array(noise, { minLength: 5, maxLength: 5 }),
        fc.array(fc.boolean(), { minLength: 4 }),
        (gaps, upper) => {
          const letters = Array.from("stop", (letter, index) => (upper[index] ? letter.toUpperCase() : letter));
          const text = letters.reduce((built, letter, index) => built + letter + gaps[index + 1], gaps[0] ?? "");
          expect(readKeyword(text, standing)).toEqual({ action: "OPT_OUT", word: "STOP" });
        },
      ),
    );
  });
});
