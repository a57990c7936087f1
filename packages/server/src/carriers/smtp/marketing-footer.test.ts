import { describe, expect, it } from "vitest";
import { withHtmlFooter, withTextFooter } from "./marketing-footer.ts";

const unsubscribeUrl = "https://msg.acme.example/a&b/unsubscribe/01jd-5f";
const escapedUrl = "https://msg.acme.example/a&amp;b/unsubscribe/01jd-5f";
const postalAddress = "Acme & Co\n1 Main St, Springfield";
const values = { unsubscribeUrl, postalAddress };
const link = `<a href="${escapedUrl}">Unsubscribe</a>`;
const address = "Acme &amp; Co<br>1 Main St, Springfield";

describe("HTML", () => {
  it.each([
    ["<p>Hi</p>", `<p>Hi</p><hr><p>${link}<br>${address}</p>`],
    ["<body><p>Hi</p></BODY></html>", `<body><p>Hi</p><hr><p>${link}<br>${address}</p></BODY></html>`],
    ["<html><p>Hi</p></html>", `<html><p>Hi</p><hr><p>${link}<br>${address}</p></html>`],
    [
      '<a href="{{unsubscribe_url}}">Leave</a><p>{{ postal_address }}</p>',
      `<a href="${escapedUrl}">Leave</a><p>${address}</p>`,
    ],
    [
      '<a href="%7B%7Bunsubscribe_url%7D%7D">Leave</a></body>',
      `<a href="${escapedUrl}">Leave</a><hr><p>${address}</p></body>`,
    ],
    ["<p>{{postal_address}}</p>", `<p>${address}</p><hr><p>${link}</p>`],
    ["<p>{{name}} {unsubscribe_url}</p>", `<p>{{name}} {unsubscribe_url}</p><hr><p>${link}<br>${address}</p>`],
  ])("%j becomes %j", (html, expected) => {
    expect(withHtmlFooter(html, values)).toBe(expected);
  });

  it("has only what the operator has set", () => {
    const html = '<a href="{{unsubscribe_url}}">Leave</a>';
    expect(withHtmlFooter(html, { unsubscribeUrl: undefined, postalAddress: undefined })).toBe(html);
    expect(withHtmlFooter(html, { unsubscribeUrl: undefined, postalAddress: "A $& B" })).toBe(
      `${html}<hr><p>A $&amp; B</p>`,
    );
  });
});

describe("plain text", () => {
  it.each([
    ["Hi\n", `Hi\n\nUnsubscribe: ${unsubscribeUrl}\n${postalAddress}\n`],
    ["Leave: {{unsubscribe_url}}", `Leave: ${unsubscribeUrl}\n\n${postalAddress}\n`],
    ["{{unsubscribe_url}} {{postal_address}}", `${unsubscribeUrl} ${postalAddress}`],
    // a text part wraps its lines
    [`${unsubscribeUrl} Acme & Co 1\nMain St, Springfield`, `${unsubscribeUrl} Acme & Co 1\nMain St, Springfield`],
  ])("%j becomes %j", (text, expected) => {
    expect(withTextFooter(text, values)).toBe(expected);
  });

  it("has only what the operator has set", () => {
    expect(withTextFooter("Hi", { unsubscribeUrl: undefined, postalAddress: undefined })).toBe("Hi");
    expect(withTextFooter("Hi", { unsubscribeUrl: undefined, postalAddress: "$&" })).toBe("Hi\n\n$&\n");
  });
});
