import { expect, it } from "vitest";
import { highlight, html, prose } from "./html.ts";

it.each([
  ["a `<b>` **bold** *word*", "<p>a <code>&lt;b&gt;</code> <strong>bold</strong> <em>word</em></p>"],
  ["one\n\ntwo", "<p>one</p><p>two</p>"],
  ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
  ["", ""],
  ["[a `b`](/docs/c) [d](https://e)", '<p><a href="/docs/c">a <code>b</code></a> [d](https://e)</p>'],
])("renders %j as %s", (text, expected) => {
  expect(prose(text).text).toBe(expected);
});

it("escapes the values of a template, but not nested templates", () => {
  expect(html`<a>${["<", html`<b>${'"'}</b>`]}${undefined}${1}</a>`.text).toBe("<a>&lt;<b>&quot;</b>1</a>");
});

it.each([
  [
    "json",
    '{ "a": "<b>", "n": -1.5 }',
    '{ <span class="k">&quot;a&quot;</span>: <span class="s">&quot;&lt;b&gt;&quot;</span>, ',
  ],
  [
    "sh",
    "msgctl send sms --to 'x'",
    '<span class="w">msgctl</span> send sms<span class="k"> --to</span> <span class="s">&#39;x&#39;</span>',
  ],
  ["ts", 'const a = "b";', '<span class="w">const</span> a = <span class="s">&quot;b&quot;</span>;'],
  ["xml", '<a b="c"/>', '<span class="k">&lt;a</span> b=<span class="s">&quot;c&quot;</span>/&gt;'],
] as const)("colours %s", (language, text, expected) => {
  expect(highlight(text, language).text).toContain(expected);
});

it.each(["json", "sh", "ts", "xml"] as const)("colours %s without changing the text", (language) => {
  const text = `"a": 'b' <c d="e"> const x = null; --flag $(x) & \\" \n "unclosed`;
  const unescaped = highlight(text, language)
    .text.replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  expect(unescaped).toBe(text);
});
