import { useEffect, useState } from 'react'

/** The whole seconds left, counted from the first render. */
export const useCountdown = (fromMs: number): number => {
  const [seconds, setSeconds] = useState(fromMs / 1000)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left => Math.max(left - 1, 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
