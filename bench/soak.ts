/** The same load for a long time, to see whether the rate holds and memory stays constant. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Load, measure, residentMbOf } from './load.ts'
import { median } from './place.ts'

const idleMs = 10_000
const endS = 10

type Soak = { loads: Omit<Load, 'duration' | 'connections'>[]; connections: number; seconds: number; pid: number }

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Runs all loads at once on shared connections, and prints the results. */
export const soak = async ({ loads, connections, seconds, pid }: Soak): Promise<void> => {
  await pause(idleMs)
  const idleMb = residentMbOf(pid)
  const each = Math.max(1, Math.floor(connections / loads.length))
  const begun = performance.now()
  const answers: number[] = []
  const memory: number[] = []
  const watch = setInterval(() => memory.push(residentMbOf(pid)), 1000)
  await Promise.all(
    loads.map(load => {
      const onSecond = (count: number) => {
        const second = Math.floor((performance.now() - begun) / 1000)
        answers[second] = (answers[second] ?? 0) + count
      }
      return measure({ ...load, connections: each, duration: seconds, onSecond })
    }),
  )
  clearInterval(watch)
  const whole = answers.slice(1, seconds)
  const [first, last] = [sum(whole.slice(0, endS)), sum(whole.slice(-endS))]
  const third = Math.floor(memory.length / 3)
  console.log(`| soak of ${seconds} s, ${each * loads.length} connections | |\n|---|---|`)
  console.log(`| answers in the last ${endS} s against the first | ${(last / first).toFixed(2)} |`)
  console.log(`| slowest ${endS} s against the first | ${(slowest(whole) / first).toFixed(2)} |`)
  console.log(`| resident when idle, before | ${idleMb.toFixed(0)} MB |`)
  console.log(`| resident under load, most | ${Math.max(...memory).toFixed(0)} MB |`)
  const thirds = [memory.slice(third, 2 * third), memory.slice(2 * third)].map(part => median(part).toFixed(0))
  console.log(`| median of the second third · of the last | ${thirds.join(' MB · ')} MB |`)
  await pause(idleMs)
  console.log(`| resident when idle, afterwards | ${residentMbOf(pid).toFixed(0)} MB |`)
}

const slowest = (answers: readonly number[]) =>
  Math.min(...answers.slice(endS - 1).map((_, place) => sum(answers.slice(place, place + endS))))
