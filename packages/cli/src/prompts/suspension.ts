/** Ctrl-Z at a prompt, and `fg` after it. */

interface Steps {
  /** Leaves the screen to the shell. */
  before(): void;
  /** The process resumes, after Ctrl-Z or a SIGSTOP from elsewhere. */
  after(): void;
}

interface Key {
  name?: string;
  ctrl?: boolean;
}

/**
 * Handles Ctrl-Z in place of readline, which pauses its input once the process resumes; inquirer never resumes it.
 *
 * @returns Ends the handling.
 */
export function onSuspendKey(keyboard: NodeJS.ReadableStream, { before, after }: Steps): () => void {
  let stop: NodeJS.Immediate | undefined;
  const onKeypress = (_text: unknown, key: Key | undefined) => {
    if (process.platform === "win32" || !key?.ctrl || key.name !== "z") return;
    // The other listeners get the same object: neither readline nor a prompt acts on Ctrl-0.
    key.name = "0";
    // after their drawing
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

/** Sets the mode even if the shell has changed it meanwhile, which Node does not notice. */
export function rawMode(keyboard: NodeJS.ReadableStream, isRaw: boolean): void {
  if (!("setRawMode" in keyboard) || typeof keyboard.setRawMode !== "function") return;
  keyboard.setRawMode(!isRaw);
  keyboard.setRawMode(isRaw);
}
