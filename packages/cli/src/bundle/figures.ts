/**
 * Stands in for @inquirer/figures in the bundle (tsup.config.ts): of its two hundred symbols, those that our prompts
 * draw. The Linux console and old Windows consoles have only the plain ones.
 */
const { platform, env } = process;
const newer = [env.WT_SESSION, env.TERM, env.TERM_PROGRAM, env.TERMINAL_EMULATOR, env.ConEmuTask, env.CI];
const hasSigns = platform === "win32" ? newer.some(Boolean) : env.TERM !== "linux";

export default { line: "─", tick: hasSigns ? "✔" : "√", pointer: hasSigns ? "❯" : ">" };
