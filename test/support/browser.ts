import { describe } from '@jest/globals';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** From Debian's package `chromium`; set CHROMIUM for another path. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** CI installs Chromium and must fail without it. Other machines skip these tests. */
export const describeInBrowser = existsSync(CHROMIUM) || process.env.CI ? describe : describe.skip;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    // Only Jest limits the time of a test.
    timeout: 0,
    args: [
      // Chromium's sandbox does not work for root, and CI often runs as root.
      '--no-sandbox',
      '--disable-gpu',
      // Shared memory is 64 MB in many containers.
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
}
