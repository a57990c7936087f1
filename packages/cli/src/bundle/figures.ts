/**
 * Replaces @inquirer/figures in the bundle (tsup.config.ts): has only the symbols that our prompts draw, not all two
 * hundred. The Linux console and old Windows consoles can draw only the plain symbols.
 */
const { platform, env } = process;
const newer = [env.WT_SESSION, env.TERM, env.TERM_PROGRAM, env.TERMINAL_EMULATOR, env.ConEmuTask, env.CI];
const hasSigns = platform === "win32" ? newer.some(Boolean) : env.TERM !== "linux";

export default { line: "─", tick: hasSigns ? "✔" : "√", pointer: hasSigns ? "❯" : ">" };
