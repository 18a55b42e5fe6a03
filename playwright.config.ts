/** The journeys in a real browser. Each worker has a product of its own to test (e2e/support/product.ts). */
import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chromiumPath } from './scripts/browser.ts'

const triesAgain = process.env.CI !== undefined

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/support/server.ts',
  // A browser and a server each: more than cores would only wait for each other.
  workers: Math.min(4, Math.max(2, availableParallelism())),
  retries: triesAgain ? 2 : 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  // In CI only what failed: a log may show its first lines alone.
  reporter: [[triesAgain ? 'dot' : 'line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    // Its own cache would answer what a journey holds back or breaks on purpose.
    serviceWorkers: 'block',
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    // Where a failure is tried again, only then; and without pictures of every moment, which took a tenth of the run; `--trace on` takes them.
    trace: { mode: triesAgain ? 'on-first-retry' : 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'off',
    video: 'off',
    launchOptions: {
      executablePath: await chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
