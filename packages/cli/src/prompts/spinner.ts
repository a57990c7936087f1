/** Shows a spinner on a terminal while work takes longer than a second. */
import { canRewrite, type Sink } from "../process/io.ts";

const DELAY_MS = 1000;
const FRAME_MS = 120;
// ASCII, which every console can draw
const FRAMES = ["|", "/", "-", "\\"];
const CLEAR_LINE = "\r\u001b[2K";

/** Settles as `work` does. Clears the spinner's line first, so that output starts on an empty line. */
export async function withSpinner<Result>(
  { screen, label }: { screen: Sink; label: string },
  work: Promise<Result>,
): Promise<Result> {
  if (!canRewrite(screen)) return work;
  const room = (screen.columns ?? 80) - 12;
  const text = label.length > room ? `${label.slice(0, Math.max(0, room - 3))}...` : label;
  let drawn = 0;
  let frames: NodeJS.Timeout | undefined;
  const draw = () => {
    const seconds = Math.floor((DELAY_MS + drawn * FRAME_MS) / 1000);
    screen.write(`${CLEAR_LINE}${FRAMES[drawn % FRAMES.length]} ${text} (${seconds} s)`);
    drawn += 1;
  };
  const delay = setTimeout(() => {
    draw();
    frames = setInterval(draw, FRAME_MS);
  }, DELAY_MS);
  try {
    return await work;
  } finally {
    clearTimeout(delay);
    clearInterval(frames);
    if (drawn > 0) screen.write(CLEAR_LINE);
  }
}
