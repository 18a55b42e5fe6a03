/** The product as people run it: `npm start` and the other commands, as processes with a data folder of their own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { moduleAt } from './processes.ts'

type Env = Record<string, string>

const environment = (env: Record<string, string | undefined>) => ({ PATH: process.env['PATH'], ...env })

export type Installation = {
  address: string
  /** Kills it, as the machine's death would: nothing is finished. */
  kill: () => Promise<void>
  /** Stops it like Ctrl-C. */
  stop: () => Promise<void>
}

export const startInstallation = async (env: Env): Promise<Installation> => {
  const server = spawn(process.execPath, moduleAt('src/app/server/main.ts'), {
    env: environment({ PORT: '0', RATE_LIMIT: 'off', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const address = await new Promise<string>((resolve, reject) => {
    const heard = (chunk: Buffer) => {
      printed += chunk.toString()
      const ready = /Fieldtest is ready: (\S+)/.exec(printed)
      if (ready?.[1]) resolve(ready[1])
    }
    server.stdout.on('data', heard)
    server.stderr.on('data', heard)
    server.once('exit', code => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })
  const end = async (signal: NodeJS.Signals) => {
    if (isOver(server)) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  return { address, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

export type Ran = { code: number | null; said: string }

/** `npm run NAME -- …`, without npm. */
export const runScript = async (
  name: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Ran> => {
  const child = spawn(process.execPath, [...moduleAt(`scripts/${name}.ts`), ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, said: printed + complained }
}

/** Whether this machine has util-linux's `script`; macOS has another. */
export const canOpenTerminal = (): boolean =>
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The same on a terminal, which `script` (util-linux) makes. Types `answer` once `question` is on the screen; null: Ctrl-D. */
export const runOnTerminal = async (
  name: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  { question, answer }: { question: string; answer: string | null },
): Promise<Ran> => {
  const command = [process.execPath, ...moduleAt(`scripts/${name}.ts`), ...args].map(quoted).join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: environment({ SHELL: '/bin/sh', ...env }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  let isAnswered = false
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (isAnswered || !said.includes(question)) return
    isAnswered = true
    child.stdin.write(answer === null ? '\u0004' : `${answer}\r`)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}
