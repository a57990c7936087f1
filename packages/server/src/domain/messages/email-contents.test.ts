import { describe, expect, it } from "vitest";
import { isHtml, readableHtml, readVisibleText, withMailLineEnds } from "./emails.ts";

const EMAIL_BYTES = 1_048_576;

describe("an email's content", () => {
  it.each([
    ...["<!DOCTYPE html>x", "<p>one", "one<br>two", "one<BR/>two", "<section>Your order</section>", "<td>2</td>"],
    ...["<button>Pay</button>", "<small>on its way</small>", "<article>x</article>", "Was <s>10</s>, now 5"],
    ...["<main>x", "H<sub>2</sub>O", '<img src="a.png">', '<a href="https://a.example">here', "<B>bold</B>"],
    ...["<table width=100%><tr><td>1", "<h6>x", "<center>x", "<abbr title=x>y</abbr >"],
  ])("counts as HTML: %j", (content) => {
    expect(isHtml(content)).toBe(true);
  });

  it.each([
    ...["", "Dear Ann", "1 < 2 and 3 > 2", "Dear Ann,\n\nuse the <b> tag to make text bold.\nLine three."],
    ...["<ada@example.com>", "see <https://a.example/p>", "x <- y </ z", "<nothing>", "</nothing>", "<span", "a <p b"],
    ...["List<String> names", "if a<b and c>d", "press <i> or <u>"],
  ])("counts as plain text: %j", (content) => {
    expect(isHtml(content)).toBe(false);
  });

  it("gets CR LF line ends", () => {
    expect(withMailLineEnds("a\rb\nc\r\nd\n\re\r\r\nf\n\ng\r\rh\n\r\ni\u2028j")).toBe(
      ["a", "b", "c", "d", "e", "f", "", "g", "", "h", "", "i\u2028j"].join("\r\n"),
    );
  });
});

describe("the readable part of HTML", () => {
  const read = (html: string) => readableHtml(html, 1_000).html;

  it.each([
    ["<head><title>t</title><style>a{}</style></head><body class=x>Hi</body>", "<head></head><body>Hi</body>"],
    ["a<!-- <p>no</p> -->b<!--[if mso]><p>no</p><![endif]-->c<![if !mso]>d<![endif]>", "abcd"],
    ["<STYLE>a > b{}</STYLE >x<script>if (a < b) '</p>'</script>y", "xy"],
    ["<p style=\"a>b\" class='c>d'>x</p>", "<p>x</p>"],
    ['<a class="b" href="https://a.example/?q=1>2" title=t>here</a>', '<a href="https://a.example/?q=1>2">here</a>'],
    ["<img src=x.png alt='Our shop' width=1>", "<img alt='Our shop'>"],
    ["<title>t</title><style>never closed</p>", ""],
    ["<p>don't</p><p it's>x</p>", "<p>don't</p><p>x</p>"],
    ["1 < 2<br/>3 <? php ?>", "1 &lt; 2<br>3 "],
  ])("for %j is %j", (html, expected) => {
    expect(read(html)).toBe(expected);
  });

  it("omits invisible parts, and reports whether it was cut", () => {
    const html = `<style>${"x".repeat(50_000)}</style><p class="${"y".repeat(5_000)}">${"word ".repeat(199)}`;
    expect(readableHtml(html, 1_000)).toEqual({ html: `<p>${"word ".repeat(199)}`, isCut: false });
    const { html: cut, isCut } = readableHtml(`${html}<a href="https://a.example">x</a>`, 1_000);
    expect([cut.endsWith("word "), isCut]).toEqual([true, true]);
    expect(readableHtml("😀".repeat(9), 5)).toEqual({ html: "😀😀", isCut: true });
  });

  it("is read from hostile HTML as fast as from an ordinary email of the same length", () => {
    const measure = (unit: string) => {
      const html = unit.repeat(EMAIL_BYTES / unit.length);
      const { user: before } = process.cpuUsage();
      isHtml(html);
      readableHtml(html, EMAIL_BYTES);
      withMailLineEnds(html);
      return process.cpuUsage().user - before;
    };
    measure("<p>word</p>\n");
    const usual = measure("<p>word</p>\n");
    // a naive scan would read the remainder of each text again at every character, and take about 1,000 times as long
    const hostile = [
      "<",
      "<a",
      "<!--",
      "<!",
      "<style>",
      "<head>",
      '<p a="',
      "<p a='>",
      '<a href="',
      "</",
      "<p ",
      "</p",
      "&",
      "\r",
    ];
    expect(hostile.filter((unit) => measure(unit) > 10 * usual)).toEqual([]);
  });
});

it.each([
  ["Hello, your <b> is ready", "Hello, your <b> is ready"],
  [
    "<style>p{color:red}</style><h1 style='color:#246'>Thank you</h1>\n<p>You paid <b>$18.40</b>.</p>",
    "Thank you You paid $18.40.",
  ],
  ["<p>Fish &amp; chips &#8364;9 &#x1F600; &bogus; &#x110000;</p>", "Fish & chips €9 😀 &bogus; &#x110000;"],
  [`<p>${"word ".repeat(100)}</p>`, "word word word word w"],
])("reads the visible text of %s", (content, text) => {
  expect(readVisibleText(content, 60).slice(0, text.length)).toBe(text);
});
