/**
 * `unit` and `tools` need nothing but Node, `page` has a document of jsdom; `http` calls the real app on a real PostgreSQL, which src/testing/global-setup.ts
 * starts. A test's name is printed only when it fails; all of them are in test-results/vitest.json.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { sharesApplication } from './src/testing/sharing.ts'

const onDocument = ['src/**/web/**/*.dom.test.{ts,tsx}']
const onDatabase = ['src/**/server/**/*.test.ts', 'src/kit/postgres/**/*.test.ts', 'scripts/dev.test.ts']

/** One more than cores, because many tests wait. More than eight would only wait for the one PostgreSQL. */
const maxWorkers = Math.min(8, availableParallelism() + 1)

/** One project after the other: a worker is stopped when the next file is of another, and each new one loads the product again. */
const order = { unit: 0, page: 1, tools: 2, http: 3 }

/** They take minutes: begun last, they would go on alone when all others have ended. */
const longest = [
  'ledger/server/model.test.ts',
  'ledger/server/modelMore.test.ts',
  'app/server/main.test.ts',
  'kit/server/hostile.test.ts',
  'app/server/backups.test.ts',
  'app/server/stopping.test.ts',
  'app/server/faults.test.ts',
  'ledger/server/modelRaces.test.ts',
  'ledger/server/books.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some(name => moduleId.endsWith(`/src/${name}`))
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const others = await super.sort(files.filter(file => !isLong(file)))
    // So that the application they share is seldom stopped for another file.
    const sharing = others.filter(({ moduleId }) => sharesApplication(moduleId))
    return [...files.filter(isLong), ...others.filter(file => !sharing.includes(file)), ...sharing]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    slowTestThreshold: 60_000,
    retry: process.env.CI === undefined ? 0 : 2,
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: order.unit },
          environment: 'node',
          include: ['src/**/*.test.{ts,tsx}'],
          // On a busy machine a large schema takes longer than the usual five seconds to compile.
          testTimeout: 30_000,
          exclude: [...onDatabase, ...onDocument],
          isolate: false,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'page',
          sequence: { groupOrder: order.page },
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'https://fieldtest.test/', pretendToBeVisual: true } },
          include: onDocument,
          // Longer than what a test waits for on the page.
          testTimeout: 30_000,
          setupFiles: 'src/testing/web/document.ts',
          // A context of its own for each file, in a worker that has loaded jsdom once.
          pool: 'vmThreads',
          maxWorkers,
        },
      },
      {
        test: {
          name: 'tools',
          sequence: { groupOrder: order.tools },
          environment: 'node',
          include: ['scripts/**/*.test.ts', 'build/**/*.test.ts'],
          exclude: onDatabase,
          // Some start a compiler or a browser.
          testTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'http',
          sequence: { groupOrder: order.http },
          environment: 'node',
          include: onDatabase,
          globalSetup: 'src/testing/global-setup.ts',
          setupFiles: 'src/testing/betweenFiles.ts',
          pool: 'forks',
          // The product is loaded once per worker; files without settings share an application as well (src/testing/start.ts).
          isolate: false,
          maxWorkers,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Not every 50 ms, most of which would be waited for nothing; and for longer than a second, which a busy machine may take.
          expect: { poll: { interval: 10, timeout: 20_000 } },
        },
      },
    ],
  },
})
