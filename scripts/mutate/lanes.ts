/** Lanes as seen by the parent: each is a process (lane.ts) with a copy of the tree, restarted after a mutant made it hang. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Question, TestPlace } from './lane.ts'
import type { Copy } from './workspace.ts'

export type TestFile = TestPlace
type Outcome = {
  passed: boolean
  ms: number
  /** The test that failed and how, and what else happened. */ failure: string
  calls: string[]
}

export type Lane = {
  copy: Copy
  tests: () => Promise<TestFile[]>
  /** Tells the lane that these files of the copy have changed. */
  changed: (paths: readonly string[]) => Promise<void>
  /** A test file that takes longer than `limitMs` fails. */
  run: (test: TestFile, limitMs: number, options?: { calls: boolean }) => Promise<Outcome>
  /** Changes the database that tests copy; returns PostgreSQL's refusal, if any. */
  sql: (statement: string) => Promise<string | null>
  stop: () => Promise<void>
  /** Takes effect at once: whatever it was asked to do fails. */
  kill: () => void
}

const script = join(import.meta.dirname, 'lane.ts')
const startMs = 120_000

class LaneEnded extends Error {}
class TooSlow extends Error {}

/** Kills its children (workers, PostgreSQL's guard) too, which are in its process group. */
const kill = (child: ChildProcess) => {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

const start = async (copy: Copy): Promise<ChildProcess> => {
  const log = openSync(join(copy.temporary, 'lane.log'), 'a')
  const child = spawn(process.execPath, [script, copy.root], {
    cwd: copy.root,
    detached: true,
    env: { ...process.env, TMPDIR: copy.temporary, NODE_ENV: 'test', VITEST: 'true' },
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  await within(child, startMs)
  return child
}

const within = async (child: ChildProcess, limitMs: number): Promise<Answer> => {
  const over = new AbortController()
  const limit = setTimeout(
    () => over.abort(new TooSlow(`It did not end within ${Math.round(limitMs / 1000)} s.`)),
    limitMs,
  )
  const ended = () => over.abort(new LaneEnded('Its process ended.'))
  child.once('exit', ended)
  try {
    const [answer] = (await once(child, 'message', { signal: over.signal })) as [Answer]
    return answer
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error
  } finally {
    clearTimeout(limit)
    child.off('exit', ended)
  }
}

export const startLane = async (copy: Copy): Promise<Lane> => {
  let child = await start(copy)
  /** A restarted process needs this again, because its database starts without it. */
  let statement: string | null = null
  let isOver = false
  const ask = (question: Question, limitMs = startMs) => {
    child.send(question)
    return within(child, limitMs)
  }
  const again = async () => {
    kill(child)
    child = await start(copy)
    if (statement !== null) await ask({ ask: 'sql', statement })
  }
  return {
    copy,
    tests: async () => ((await ask({ ask: 'tests' })) as { tests: TestFile[] }).tests,
    changed: async paths => {
      await ask({ ask: 'changed', paths: [...paths] })
    },
    run: async ({ path, project }, limitMs, { calls } = { calls: false }) => {
      const begun = performance.now()
      const ms = () => Math.round(performance.now() - begun)
      try {
        const outcome = (await ask({ ask: 'run', path, project, calls }, limitMs)) as Omit<Outcome, 'ms'>
        return { ...outcome, ms: ms() }
      } catch (error) {
        if (isOver || !(error instanceof TooSlow || error instanceof LaneEnded)) throw error
        const failure = `${path}: ${error.message}`
        await again()
        return { passed: false, failure, calls: [], ms: ms() }
      }
    },
    sql: async wanted => {
      statement = wanted
      return ((await ask({ ask: 'sql', statement: wanted })) as { refused: string | null }).refused
    },
    kill: () => {
      isOver = true
      kill(child)
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      const hard = setTimeout(() => kill(child), 15_000)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      clearTimeout(hard)
      kill(child)
    },
  }
}
