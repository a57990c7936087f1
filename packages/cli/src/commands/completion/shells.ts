/** The shells that have a script. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
