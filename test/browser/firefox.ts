// Firefox as Debian and Mozilla ship it, driven by WebDriver BiDi.

import { type Browser, firefox } from "playwright-core";
import { InstalledBrowser } from "./installed-browser.ts";

export const installedFirefox = new InstalledBrowser({
  name: "Firefox",
  programs: ["firefox", "firefox-esr"],
  launch: async (executablePath) => {
    const browser = await firefox.launch({ executablePath, channel: "moz-firefox" });
    ignoreMediaFeatures(browser);
    return browser;
  },
});

/** The command that emulates media features, such as dark colours. Playwright 1.65 sends it for each new context. */
const MEDIA_FEATURES = "emulation.setMediaFeaturesOverride";

interface Message {
  readonly id: number;
  readonly method: string;
}

/** Playwright's own side of the browser, which runs in this process. */
interface Internals {
  readonly _connection: {
    readonly toImpl: (browser: Browser) => {
      readonly _connection: {
        rawSend(message: Message): void;
        _dispatchMessage(answer: object): void;
      };
    };
  };
}

/**
 * Answers the command in place of the browser: Firefox 153 ESR does not know it, and without an answer no context opens. So
 * media features have no effect in Firefox. Remove this when the ESR knows the command.
 */
function ignoreMediaFeatures(browser: Browser): void {
  const connection = (browser as unknown as Internals)._connection.toImpl(browser)._connection;
  const send = connection.rawSend.bind(connection);
  connection.rawSend = (message) => {
    if (message.method !== MEDIA_FEATURES) send(message);
    // later, as the caller begins to wait only after it has sent
    else queueMicrotask(() => connection._dispatchMessage({ type: "success", id: message.id, result: {} }));
  };
}
