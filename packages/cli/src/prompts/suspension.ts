/** Handles Ctrl-Z at a prompt, and `fg` after it. */

interface Steps {
  /** Called before the process stops, to leave the screen to the shell. */
  before(): void;
  /** Called when the process resumes, whether Ctrl-Z or a SIGSTOP from another process stopped it. */
  after(): void;
}

interface Key {
  name?: string;
  ctrl?: boolean;
}

/**
 * Handles Ctrl-Z in place of readline: readline would pause its input, which inquirer never resumes.
 *
 * @returns A function that removes the handler.
 */
export function onSuspendKey(keyboard: NodeJS.ReadableStream, { before, after }: Steps): () => void {
  let stop: NodeJS.Immediate | undefined;
  const onKeypress = (_text: unknown, key: Key | undefined) => {
    if (process.platform === "win32" || !key?.ctrl || key.name !== "z") return;
    // The other listeners get the same object. Turn the key into Ctrl-0, which neither readline nor a prompt handles.
    key.name = "0";
    // after the other listeners have drawn
    stop = setImmediate(() => {
      before();
      suspend(keyboard);
    });
  };
  keyboard.prependListener("keypress", onKeypress);
  process.on("SIGCONT", after);
  return () => {
    clearImmediate(stop);
    keyboard.removeListener("keypress", onKeypress);
    process.removeListener("SIGCONT", after);
  };
}

export function suspend(keyboard: NodeJS.ReadableStream): void {
  rawMode(keyboard, false);
  process.kill(process.pid, "SIGTSTP");
}

/** Sets raw mode. Toggles it first, since Node.js does not notice if the shell has changed the mode in between. */
export function rawMode(keyboard: NodeJS.ReadableStream, isRaw: boolean): void {
  if (!("setRawMode" in keyboard) || typeof keyboard.setRawMode !== "function") return;
  keyboard.setRawMode(!isRaw);
  keyboard.setRawMode(isRaw);
}
