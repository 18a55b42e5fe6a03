/**
 * Measures what a developer waits for, on a copy of this tree: from `npm run dev` until it answers, and from saving a server file
 * (by rename) until the new code answers. Prints the lines of the README.
 *
 *     node bench/dev.ts [--rounds 5]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { copyProject } from '../src/testing/projectCopy.ts'
import { median, option } from './place.ts'

const rounds = option('rounds', 5, 50)
const folder = await copyProject()
let dev: ChildProcess | undefined

const seconds = async (work: () => Promise<unknown>) => {
  const before = performance.now()
  await work()
  return (performance.now() - before) / 1000
}

/** Starts it without npm, which adds a third of a second and does not forward every signal. */
const start = async () => {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { scripts: { dev: string } }
  const { DATABASE_URL: _, ...env } = process.env
  dev = spawn(process.execPath, scripts.dev.split(' ').slice(1), {
    cwd: folder,
    env: { ...env, NODE_ENV: '', PORT: '0', DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  return new Promise<string>((resolve, reject) => {
    dev!.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const [, address] = /in development: (\S+)\n/.exec(printed) ?? []
      if (address) resolve(address)
    })
    dev!.once('exit', code => reject(new Error(`npm run dev ended with ${code}: ${printed}`)))
  })
}

const stop = async () => {
  if (!dev || dev.exitCode !== null) return
  const ended = once(dev, 'exit')
  dev.kill('SIGINT')
  await ended
}

const file = join(folder, 'src/app/server/app.ts')
const source = await readFile(file, 'utf8')

const reload = async (address: string, word: string) => {
  await writeFile(`${file}.new`, source.replace(`status: 'ok' }))`, `status: '${word}' }))`))
  await rename(`${file}.new`, file)
  while (!(await (await fetch(`${address}/health/live`)).text()).includes(word)) await pause(5)
}

try {
  const first = await seconds(start)
  const starts: number[] = []
  const reloads: number[] = []
  for (let round = 0; round < rounds; round++) {
    await stop()
    let address = ''
    starts.push(await seconds(async () => (address = await start())))
    reloads.push(await seconds(() => reload(address, `round ${round}`)))
  }
  const list = (figures: number[]) => figures.map(figure => figure.toFixed(2)).join(' ')
  console.log(`| measured | |\n|---|---|`)
  console.log(`| npm run dev, first start, with a new database | ${first.toFixed(1)} s |`)
  console.log(`| later starts, median of ${rounds} (${list(starts)}) | ${median(starts).toFixed(1)} s |`)
  console.log(`| from a save of the server, median of ${rounds} (${list(reloads)}) | ${median(reloads).toFixed(2)} s |`)
} finally {
  await stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}
