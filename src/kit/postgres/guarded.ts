import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Identity } from './identity.ts'

export type Guarded = {
  /** The command's process, not that of the shell that guards it. */
  pid: number
  /** Resolves with a phrase such as "exit code 1" when the command has exited. */
  ended: Promise<string>
  hasEnded: () => boolean
}

/**
 * Two small shells run between us and the command. One waits for it and passes its exit code on. The other reads a pipe
 * whose only writer is this process: when we exit, for whatever reason, it reads end-of-file and stops the command,
 * repeatedly, because a PostgreSQL that is still starting ignores the signal.
 */
const guardScript = `
signal=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- >&2 &
child=$!
trap '' INT TERM HUP QUIT
echo "$child"
exec >&2
(read -r _ <&3; while kill -s "$signal" "$child" 2>/dev/null; do sleep 0.2; done) &
guard=$!
exec 3<&-
wait "$child"; code=$?
kill -s KILL "$guard" 2>/dev/null
exit "$code"
`

/**
 * Runs a command in its own session, so Ctrl-C reaches only this process; if this process dies, the command is sent
 * `signalWhenLost`. Its output goes to `logFd`.
 */
export const runGuarded = (
  identity: Identity,
  signalWhenLost: 'INT' | 'TERM',
  command: string[],
  logFd: number,
): Promise<Guarded> =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', guardScript, 'fieldtest-guard', signalWhenLost, ...identity.prefix, ...command], {
      ...identity.drop,
      detached: true,
      cwd: '/',
      // Inherits nothing: no PGDATA, no locale that the machine may lack, none of the server's secrets.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', TZ: 'UTC', LC_MESSAGES: 'C' },
      stdio: ['pipe', 'pipe', logFd],
    })
    let over = false
    const ended = new Promise<string>(settle => {
      child.once('exit', (code, signal) => {
        over = true
        settle(signal ? `signal ${signal}` : describe(code ?? 0))
      })
    })
    // Nothing is written to the pipe; it breaks when the guard exits, which `ended` reports.
    child.stdin?.on('error', () => {})
    child.once('error', reject)
    if (child.stdout)
      createInterface(child.stdout).once('line', line => resolve({ pid: Number(line), ended, hasEnded: () => over }))
    void ended.then(why => reject(new Error(`The database could not be started: ${why}.`)))
  })

/** A shell reports a signal as 128 plus its number. */
const describe = (code: number) => (code > 128 ? `signal ${code - 128}` : `exit code ${code}`)
