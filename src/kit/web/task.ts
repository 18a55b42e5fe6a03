import { useState } from 'react'

export type Task<Input extends unknown[]> = {
  /** Resolves once the work has finished, with true if it succeeded. A failure is in `error`, not thrown. */
  run: (...input: Input) => Promise<boolean>
  pending: boolean
  error: unknown
  reset: () => void
}

/** The state of work that a user starts, outside the query cache: whether it is running, and how it failed. */
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
