/** What each test file runs, and how long it takes: measured once without mutants, and kept as long as nothing changes. */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Lane, TestFile } from './lanes.ts'
import { measuredPaths, modelProject } from './places.ts'
import { instrumented, reachedFile, recorder, recorderName } from './probes.ts'

/** Paths are relative to the root. `reached` has the names of regions, and database functions as named by `called`. */
export type Measured = TestFile & { ms: number; passes: boolean; reached: string[] }

/** How `reached` names a database function. */
export const called = (name: string): string => `sql:${name}`

type Cache = { [path: string]: Measured & { key: string; product: string } }

/** In the folder where tools keep what can be made again. */
const cacheFile = (root: string) => join(root, 'node_modules/.cache/mutate/reach.json')

const readCache = (root: string): Cache => {
  try {
    return JSON.parse(readFileSync(cacheFile(root), 'utf8')) as Cache
  } catch {
    return {}
  }
}

/** Covers the product, what its tests share, and the probes: a change there may change what any test runs. */
const keyOfProduct = (root: string) => {
  const product = createHash('sha256').update(readFileSync(join(import.meta.dirname, 'probes.ts')))
  for (const path of globSync(measuredPaths, { cwd: root }).toSorted())
    if (!/\.(test|spec)\.tsx?$/.test(path)) product.update(path).update(readFileSync(join(root, path)))
  return product.digest('hex')
}

const keyOfFile = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** No test file takes longer than this. */
const longestMs = 10 * 60_000

type Files = readonly { path: string; source: string }[]

const measure = async (lane: Lane, test: TestFile): Promise<Measured> => {
  lane.copy.write(reachedFile, '')
  const { passed, ms, calls } = await lane.run(test, longestMs, { calls: true })
  const regions = readFileSync(join(lane.copy.root, reachedFile), 'utf8').split('\n').filter(Boolean)
  return { ...test, ms, passes: passed, reached: [...new Set([...regions, ...calls.map(called)])].toSorted() }
}

const withProbes = async (lane: Lane, files: Files) => {
  lane.copy.write(recorderName, recorder)
  for (const { path, source } of files) lane.copy.write(path, instrumented(path, source))
  await lane.changed(files.map(({ path }) => path))
}

const withoutProbes = async (lane: Lane, files: Files) => {
  for (const { path, source } of files) lane.copy.write(path, source)
  await lane.changed(files.map(({ path }) => path))
}

/** Runs `work` on each item, with all lanes working in parallel. */
export const shareOut = async <T>(
  lanes: readonly Lane[],
  items: Iterable<T> | AsyncIterable<T>,
  work: (lane: Lane, item: T) => Promise<void>,
): Promise<void> => {
  const next = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  await Promise.all(
    lanes.map(async lane => {
      for (let item = await next.next(); !item.done; item = await next.next()) await work(lane, item.value)
    }),
  )
}

/**
 * Measures all of `tests`. `stale`: measurements from before a change of the product are good enough. Without `measures`, test
 * files that were never measured are left out. A test that fails only because of the probes runs once more without them.
 */
export const measureAll = async (
  root: string,
  {
    lanes,
    tests,
    files,
    stale,
    measures,
    say,
  }: {
    lanes: readonly Lane[]
    tests: readonly TestFile[]
    files: Files
    stale: boolean
    measures: boolean
    say: (line: string) => void
  },
): Promise<Measured[]> => {
  const product = keyOfProduct(root)
  const cache = readCache(root)
  const keys = new Map(
    tests.map(({ path, project }) => [path, project === modelProject ? path : keyOfFile(join(root, path))]),
  )
  const isKnown = ({ path }: TestFile) =>
    cache[path]?.key === keys.get(path) && (stale || cache[path]?.product === product)
  const wanted = tests.filter(test => measures || test.project === modelProject || isKnown(test))
  const missing = wanted.filter(test => !isKnown(test))
  const keep = (test: Measured) => {
    cache[test.path] = { ...test, key: keys.get(test.path)!, product }
    mkdirSync(dirname(cacheFile(root)), { recursive: true })
    // Read again and replaced as a whole, because a parallel run keeps its own results there.
    const written = `${cacheFile(root)}.${process.pid}`
    writeFileSync(written, JSON.stringify({ ...readCache(root), [test.path]: cache[test.path] }))
    renameSync(written, cacheFile(root))
  }
  if (missing.length > 0) {
    say(`Measuring what ${missing.length} of ${wanted.length} test files run …`)
    const sources = files.filter(({ path }) => path.endsWith('.ts'))
    const failed: Measured[] = []
    let done = 0
    for (const lane of lanes) await withProbes(lane, sources)
    await shareOut(lanes, missing, async (lane, test) => {
      const measured = await measure(lane, test)
      if (++done % 10 === 0) say(`${done} of ${missing.length}`)
      if (measured.passes) keep(measured)
      else failed.push(measured)
    })
    for (const lane of lanes) await withoutProbes(lane, sources)
    await shareOut(lanes, failed, async (lane, test) =>
      keep({ ...test, passes: (await lane.run(test, longestMs)).passed }),
    )
  }
  return wanted.map(({ path }) => cache[path]!)
}
