// The development server and a page of its dashboard, for the tests of a suite.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openContext } from "../browser/chromium.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { leave, watchFaults } from "./pages.ts";

export interface Demo {
  readonly folder: MsgdFolder;
  readonly baseUrl: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Faults that the page has shown in this test. A test that expects some takes them out. */
  readonly faults: string[];
  /** Calls the API with the demo tenant's credential. */
  readonly post: Post;
}

/**
 * Opens the page before the suite's tests, and passes it to `onOpen`. Resets the server before each test and the page after
 * it, and expects that the page has shown no faults. `statuses` are statuses of replies that the tests expect.
 */
export function openDemo(statuses: readonly number[], onOpen: (demo: Demo) => void): void {
  let demo: Demo;
  let folder: MsgdFolder | undefined;
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    folder = new MsgdFolder();
    const { baseUrl } = await folder.shareDemo();
    context = await openContext();
    const page = await context.newPage();
    const faults = watchFaults(page, baseUrl, statuses);
    demo = { folder, baseUrl, context, page, faults, post: createPost(baseUrl, folder.demoCredential) };
    onOpen(demo);
  });
  afterAll(async () => {
    await context?.close();
    await folder?.remove();
  });

  beforeEach(async () => {
    await fetch(`${demo.baseUrl}/control/reset`, { method: "POST" });
  });
  afterEach(async () => {
    await leave(demo.page, demo.baseUrl);
    expect(demo.faults.splice(0)).toEqual([]);
  });
}
