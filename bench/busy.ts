/** Processor time, which is comparable even on a busy machine. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const secondsOf = (pid: string | number): number => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

/** For how many seconds the connections to the measured database have kept a core busy. */
export const busySeconds = (databaseUrl: string): number => {
  const name = ` ${new URL(databaseUrl).pathname.slice(1)} `
  return readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid))
    .reduce((sum, pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name) ? sum + secondsOf(pid) : sum
      } catch {
        return sum
      }
    }, 0)
}

export const processSeconds = secondsOf
