/** The shells that there is a script for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
