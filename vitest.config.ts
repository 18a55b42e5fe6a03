/**
 * `unit` needs nothing but Node; `http` calls the real app on a real PostgreSQL, which src/testing/global-setup.ts
 * starts. A test's name is printed only when it fails; all of them are in test-results/vitest.json.
 */
import { defineConfig } from 'vitest/config'

const onDatabase = ['src/**/server/**/*.test.ts', 'src/kit/postgres/**/*.test.ts', 'scripts/dev.test.ts']

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    slowTestThreshold: 60_000,
    retry: process.env.CI === undefined ? 0 : 2,
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'build/**/*.test.ts'],
          exclude: onDatabase,
        },
      },
      {
        test: {
          name: 'http',
          environment: 'node',
          include: onDatabase,
          globalSetup: 'src/testing/global-setup.ts',
          pool: 'forks',
          // The product is loaded once per worker, and started anew by each file with its own database: a third of the time.
          isolate: false,
          // As many databases as workers; two cores also carry PostgreSQL, and many tests wait.
          maxWorkers: 3,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
