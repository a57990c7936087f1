import type { ChannelQuota } from "./quota.ts";

/** How much of a quota is used, as a bar with its numbers. */
export function UsageBar({ quota: { used, limit, credits, share } }: { readonly quota: ChannelQuota }) {
  const width = `${Math.min(100, Math.round(share * 100))}%`;
  return (
    <span class="usage" data-tone={share >= 1 ? "bad" : share >= 0.8 ? "open" : "good"}>
      <span class="bar" aria-hidden="true">
        <i style={{ inlineSize: width }} />
      </span>
      {used.toLocaleString()} of {limit.toLocaleString()}
      {credits > 0 && ` + ${credits.toLocaleString()}`}
    </span>
  );
}
