/**
 * Measures how long `npm start` takes after `npm ci`, and how much memory the server then uses, on a copy of this tree: without a
 * built page and a data folder (first start), and again afterwards (later starts). Linux only. Takes about two minutes, mostly
 * waiting for the server to be idle. Prints the table of the README.
 *
 *     node bench/start.ts [--later 3] [--idle 20]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { projectRoot } from '../src/kit/server/root.ts'
import { median, option } from './place.ts'

const laterStarts = option('later', 3, 20)
const idleSeconds = option('idle', 20, 300)
const startLimitMs = 120_000

const notCopied = new Set(['node_modules', 'dist', 'data', '.git', 'test-results', 'coverage'])

const copyOfTree = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldtest-start-'))
  cpSync(projectRoot, folder, { recursive: true, filter: path => !notCopied.has(basename(path)) })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const start = async (folder: string): Promise<{ npm: ChildProcess; seconds: number }> => {
  const { DATABASE_URL: _, ...env } = process.env
  const before = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...env, NODE_ENV: '', PORT: '0', DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let printed = ''
  const limit = setTimeout(() => npm.kill('SIGTERM'), startLimitMs)
  const failed = once(npm, 'exit').then(() => {
    throw new Error(`npm start ended: ${printed}`)
  })
  const ready = new Promise<void>(resolve => {
    npm.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Fieldtest is ready')) resolve()
    })
  })
  await Promise.race([ready, failed])
  clearTimeout(limit)
  failed.catch(() => undefined)
  return { npm, seconds: (performance.now() - before) / 1000 }
}

const numberIn = (path: string) => Number(readFileSync(path, 'utf8').split('\n')[0])

const stop = async (folder: string, npm: ChildProcess) => {
  const ended = once(npm, 'exit')
  process.kill(numberIn(join(folder, 'data', 'server.pid')), 'SIGTERM')
  await ended
}

/** A process's memory in MB: resident, and proportional (shared pages are divided among their users). */
const memoryOf = (pid: number) => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mb = (line: string) => Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024
  return { residentMb: mb('Rss'), shareMb: mb('Pss') }
}

const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(other => {
      try {
        return Number(readFileSync(`/proc/${other}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === pid
      } catch {
        return false
      }
    })

const idleMemory = (folder: string) => {
  const postmaster = numberIn(join(folder, 'data', 'postgres', 'postmaster.pid'))
  const shares = [postmaster, ...childrenOf(postmaster)].map(pid => memoryOf(pid).shareMb)
  return {
    serverMb: memoryOf(numberIn(join(folder, 'data', 'server.pid'))).residentMb,
    postgresMb: shares.reduce((sum, share) => sum + share, 0),
  }
}

const folder = copyOfTree()
let running: ChildProcess | undefined
try {
  const first = await start(folder)
  running = first.npm
  await pause(idleSeconds * 1000)
  const memory = idleMemory(folder)
  await stop(folder, first.npm)
  const later: number[] = []
  for (let round = 0; round < laterStarts; round++) {
    const { npm, seconds } = await start(folder)
    running = npm
    later.push(seconds)
    await stop(folder, npm)
  }
  running = undefined
  console.log(`| measured | |\n|---|---|`)
  console.log(`| first start, with the page's build and a new database | ${first.seconds.toFixed(1)} s |`)
  console.log(`| later starts, median of ${laterStarts} | ${median(later).toFixed(1)} s |`)
  console.log(`| server when idle, resident | ${memory.serverMb.toFixed(0)} MB |`)
  console.log(`| PostgreSQL when idle, all its processes | ${memory.postgresMb.toFixed(0)} MB |`)
} finally {
  if (running?.pid !== undefined && running.exitCode === null) process.kill(-running.pid, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}
