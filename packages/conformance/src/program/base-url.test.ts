import { expect, it } from "vitest";
import { isBaseUrl, isLoopback } from "./base-url.ts";

it.each<[text: string, isBase: boolean]>([
  ["https://api.example.com", true],
  ["http://127.0.0.1:8080/base", true],
  ["ftp://api.example.com", false],
  ["https://key@api.example.com", false],
  ["https://api.example.com?a=b", false],
  ["https://api.example.com#a", false],
  ["api.example.com", false],
])("%s addresses a server: %s", (text, isBase) => expect(isBaseUrl(text)).toBe(isBase));

it.each<[text: string, isHere: boolean]>([
  ["http://localhost:1", true],
  ["http://127.1.2.3", true],
  ["http://[::1]:1", true],
  ["http://127.0.0.1.example.com", false],
  ["http://192.0.2.1", false],
  ["nowhere", false],
])("%s is this machine: %s", (text, isHere) => expect(isLoopback(text)).toBe(isHere));
