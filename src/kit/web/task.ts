import { useState } from 'react'

export type Task<Input extends unknown[]> = {
  /** Settles when the work has; its failure is in `error` and is not thrown. True when it went well. */
  run: (...input: Input) => Promise<boolean>
  pending: boolean
  error: unknown
  reset: () => void
}

/** One piece of work that a person starts: whether it runs, and how it failed. For work outside the query cache. */
export const useTask = <Input extends unknown[]>(work: (...input: Input) => Promise<unknown>): Task<Input> => {
  const [state, setState] = useState<{ pending: boolean; error: unknown }>({ pending: false, error: null })
  return {
    ...state,
    reset: () => setState({ pending: false, error: null }),
    run: async (...input) => {
      setState({ pending: true, error: null })
      try {
        await work(...input)
        setState({ pending: false, error: null })
        return true
      } catch (error) {
        setState({ pending: false, error })
        return false
      }
    },
  }
}
