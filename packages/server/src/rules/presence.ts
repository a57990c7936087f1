import { type AgentStatus, move } from "./transitions.ts";

/**
 * Where a user stands after a phone has registered or left. Registering makes nobody available who chose a break or is
 * on a call; leaving makes everybody unreachable.
 */
export function agentStatusAfter(current: AgentStatus, registered: boolean): AgentStatus {
  const next = registered ? (current === "OFFLINE" ? "AVAILABLE" : current) : "OFFLINE";
  return next === current ? current : move("agent", current, next);
}
