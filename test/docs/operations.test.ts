// Checks the alerts, the Grafana dashboard and docs/operations.md against the metrics of a real server that has done some work
// of each kind. They use only existing metrics, and the page describes all of them.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { privatePaths, publicPaths } from "../../packages/server/src/domain/public-paths.ts";
import { Metrics } from "../../packages/server/src/http/metrics/metrics.ts";
import { type Family, readScrapedPage, type Sample } from "../../packages/server/src/testing/scraped-page.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { anchorsOf } from "./markdown.ts";
import { isAsked, readExpression } from "./promql.ts";

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}

interface Target {
  refId: string;
  expr: string;
  legendFormat: string;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Target[];
}

interface Variable {
  name: string;
  type: string;
  definition?: string;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/operations.md");
const alerts = parse(read("docs/operations/alerts.yaml")) as { groups: { name: string; rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("docs/operations/grafana-dashboard.json")) as {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: Variable[] };
  annotations: { list: { expr: string; textFormat: string }[] };
};
const targets = dashboard.panels.flatMap(({ title, targets: own = [] }) => own.map((target) => ({ title, ...target })));

/** Labels that Prometheus adds to each series. It also creates the metric `up` for each target. */
const OF_PROMETHEUS = ["job", "instance"];
const up: Family = {
  name: "up",
  type: "gauge",
  help: "",
  samples: [{ name: "up", labels: {}, value: 1 }],
};

const folder = new MsgdFolder();
let families: Map<string, Family>;
let samples: Sample[];

beforeAll(async () => {
  const { baseUrl } = await folder.shareDemo();
  const { apiKey, apiSecret } = folder.demoCredential;
  const call = (method: string, path: string, { body, as = apiSecret }: { body?: object; as?: string } = {}) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { "x-api-key": apiKey, "x-api-secret": as, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then((reply) => reply.status);
  const send = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" };
  const failure = { operation: "listMerchants", code: "internal_error", times: 1 };
  const statuses = [
    await call("POST", "/api/v1/messages/sms", { body: send }),
    await call("POST", "/api/v1/messages/sms", { body: { ...send, to: "nobody" } }),
    await call("GET", "/api/v1/merchants", { as: "mks_wrong" }),
    await call("POST", "/control/faults", { body: failure }),
    await call("GET", "/api/v1/merchants"),
  ];
  expect(statuses).toEqual([200, 400, 401, 200, 500]);
  // another thread reports the checkpoint after the writes
  await vi.waitFor(
    async () => {
      families = readScrapedPage(await (await fetch(`${baseUrl}/metrics`)).text());
      expect([...families.keys()]).toContain("msgd_log_bytes");
    },
    { timeout: 60_000, interval: 250 },
  );
  families.set("up", up);
  // metrics of a server on PostgreSQL only
  const gauges = { instance: "msgd", backlog: undefined, clockAheadMs: 0, now: 0 };
  const clock = readScrapedPage(new Metrics().render(gauges)).get("msgd_clock_ahead_seconds");
  if (clock !== undefined) families.set(clock.name, clock);
  samples = [...families.values()].flatMap((family) => family.samples);
});
afterAll(() => folder.remove());

/** Faults of an expression: metrics, labels and label values that the server does not have. */
function faultsOf(text: string): string[] {
  const { selectors, labels } = readExpression(text);
  const known = new Set(OF_PROMETHEUS);
  const faults = selectors.flatMap((selector) => {
    const series = samples.filter(({ name }) => name === selector.metric);
    if (series.length === 0) return [`no metric ${selector.metric}`];
    for (const { labels: own } of series) for (const label of Object.keys(own)) known.add(label);
    const matchers = selector.matchers.filter(({ label }) => !OF_PROMETHEUS.includes(label));
    const strange = matchers.filter(({ label }) => series.every(({ labels: own }) => own[label] === undefined));
    if (strange.length > 0) return strange.map(({ label }) => `${selector.metric} has no label ${label}`);
    const isThere = series.some(({ labels: own }) => isAsked({ ...selector, matchers }, own));
    return isThere ? [] : [`no series of ${selector.metric} has ${JSON.stringify(matchers)}`];
  });
  return [...faults, ...labels.filter((label) => !known.has(label)).map((label) => `no label ${label}`)];
}

describe("an expression", () => {
  it.each([
    ["rate(msgd_nothing_total[5m]) > 0", "no metric msgd_nothing_total"],
    ['msgd_messages_total{state="SENT"}', "msgd_messages_total has no label state"],
    ['sum(rate(msgd_messages_total{status="LOST"}[5m]))', "no series of msgd_messages_total"],
    ["sum by (tenant) (msgd_requests_total)", "no label tenant"],
  ])("that names a missing metric, label or value has a fault: %s", (text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
  });

  it.each(["rate(up[5m]", "up{job=msgd}", "rates(up[5m])", "sum by (job", "up ~ 1", 'up{job="a" up'])(
    "that is invalid is refused: %s",
    (text) => {
      expect(() => {
        if (faultsOf(text).length > 0) throw new Error("a fault");
      }).toThrow();
    },
  );
});

describe("docs/operations/alerts.yaml", () => {
  it("has rules with unique names, in Prometheus's format", () => {
    expect(Object.keys(alerts)).toEqual(["groups"]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(Object.keys(rule)).toEqual(["alert", "expr", "for", "labels", "annotations"]);
      expect(rule.alert).toMatch(/^Msgd[A-Za-z]+$/);
      expect(rule.for).toMatch(/^\d+[smh]$/);
      expect(rule.labels).toEqual({ severity: expect.stringMatching(/^(critical|warning)$/) });
      expect(Object.keys(rule.annotations)).toEqual(["summary", "description", "runbook"]);
    }
  });

  it.each(rules.map(({ alert, ...rule }) => [alert, rule] as const))("%s uses existing metrics", (_alert, { expr }) => {
    expect(faultsOf(expr)).toEqual([]);
    // otherwise the rule would apply to every job of the same kind
    expect(readExpression(expr).selectors.every(({ matchers }) => matchers.some(({ value }) => value === "msgd"))).toBe(
      true,
    );
  });

  it.each(rules.map(({ alert, ...rule }) => [alert, rule] as const))(
    "%s links to its runbook",
    (alert, { annotations }) => {
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(anchorsOf(page)).toContain(alert.toLowerCase());
    },
  );

  it("does not predict from the first samples of an installation", () => {
    const predicting = rules.filter(({ expr }) => expr.includes("predict_linear"));
    expect(predicting.map(({ alert }) => alert)).toEqual(["MsgdDiskFilling"]);
    for (const { expr } of predicting)
      expect(expr).toMatch(/predict_linear\((\S+)\[6h\], 86400\) < 0\s+and \1 offset 5h/);
  });

  it("has a rule for each alert of docs/operations.md", () => {
    const sections = [...page.matchAll(/^### (Msgd\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });
});

describe("docs/operations/grafana-dashboard.json", () => {
  it("is in the format that Grafana imports", () => {
    expect(dashboard).toMatchObject({ uid: "msgd", title: "msgd", schemaVersion: 39 });
    // an id would replace the dashboard that has that id
    expect(dashboard).not.toHaveProperty("id");
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, gridPos, targets: own } of dashboard.panels) {
      expect(["row", "stat", "timeseries"]).toContain(type);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      expect(own?.length ?? 0).toBeGreaterThanOrEqual(type === "row" ? 0 : 1);
      expect(new Set(own?.map(({ refId }) => refId)).size).toBe(own?.length ?? 0);
    }
  });

  it("has no overlapping panels", () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it.each(targets.map(({ title, ...target }) => [`${title} ${target.refId}`, target] as const))(
    "%s uses existing metrics",
    (_title, { expr, legendFormat }) => {
      expect(faultsOf(expr)).toEqual([]);
      const shown = new Set(OF_PROMETHEUS);
      for (const { metric } of readExpression(expr).selectors) {
        for (const { name, labels } of samples)
          if (name === metric) for (const label of Object.keys(labels)) shown.add(label);
      }
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(shown).toContain(label);
    },
  );

  it("marks the starts of msgd, and takes its variables from existing labels", () => {
    for (const { expr } of dashboard.annotations.list) expect(faultsOf(expr)).toEqual([]);
    const variables = dashboard.templating.list;
    const used = targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name));
    const names = variables.map(({ name }) => name);
    expect([...new Set(used)].filter((name) => name !== "__rate_interval")).toEqual(["job", "instance"]);
    expect(names).toEqual(["datasource", "job", "instance"]);
    for (const { definition } of variables.slice(1)) {
      const [, series = "", label] = /^label_values\((.+), (\w+)\)$/.exec(definition ?? "") ?? [];
      expect(faultsOf(series)).toEqual([]);
      expect(OF_PROMETHEUS).toContain(label);
    }
  });
});

describe("docs/operations.md", () => {
  it("describes every metric, and no metric that does not exist", () => {
    // a command may contain only the beginning of a metric's name
    const prose = page.replaceAll(/^```sh\n[\s\S]*?^```$/gm, "");
    const named = new Set([...prose.matchAll(/\b(msgd_[a-z_]+|process_[a-z_]+)\b(?!\.)/g)].map(([, name]) => name));
    const shown = [...families.keys()].filter((name) => name !== "up");
    expect([...named].sort()).toEqual(shown.sort());
  });

  it("says which paths a proxy must forward, and which it may", () => {
    const section = page.slice(page.indexOf("## Behind a proxy"), page.indexOf("## Health and metrics"));
    const rows = [...section.matchAll(/^\| `(\/\S*)` \|.*\| ([^|]+) \|$/gm)].map(([, path, outside]) => ({
      path,
      isNeeded: outside === "always",
    }));
    expect(rows).toEqual(publicPaths);
    const others = page.slice(page.indexOf("## Health and metrics"), page.indexOf("| metric |"));
    const inside = privatePaths.filter((path) => !["/", "/favicon.ico", "/control"].includes(path));
    for (const path of inside) expect(others).toContain(`\`${path}\``);
  });

  it("describes every label of a metric", () => {
    for (const { name, samples: own } of families.values()) {
      const labels = new Set(own.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== "le"));
      if (labels.size === 0) continue;
      expect(page).toContain(`\`${name}{${[...labels].join(",")}}\``);
    }
  });

  it("is right that no label contains a tenant's texts, and that one contains the tenant's number", () => {
    const words = samples
      .filter(({ name }) => name !== "msgd_instance_info")
      .flatMap(({ labels }) => Object.entries(labels))
      .filter(([label]) => label !== "le" && label !== "tenant");
    for (const [label, word] of words) expect(word, label).toMatch(/^[A-Za-z_]+$|^[0-9]xx$|^[1-5]\d\d$|^0\.\d+$/);
    const tenants = samples.flatMap(({ labels: { tenant } }) => (tenant === undefined ? [] : [tenant]));
    expect(tenants.length).toBeGreaterThan(1);
    for (const tenant of tenants) expect(tenant).toMatch(/^(?:\d+|other)$/);
  });
});
