import { useEffect, useState } from 'react'

const secondsTo = (at: number) => Math.max(Math.ceil((at - performance.now()) / 1000), 1)

/** The whole seconds until a moment on the clock of `performance.now()`; the last one stays. */
export const useCountdown = (at: number): number => {
  const [seconds, setSeconds] = useState(() => secondsTo(at))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsTo(at)), 250)
    return () => clearInterval(timer)
  }, [at])
  return seconds
}
