import { useState } from 'react'
import type { Day } from '../../kit/clock.ts'
import { useUrlValue, words } from '../../kit/web/urlFilters.ts'

/** A tester, or one of their days. */
export type Opened = { id: string; day: Day | null }

/** The tester whose dialog is open, kept in the URL: notifications link to it, and it survives a reload. */
export const useOpenedTester = () => {
  const [id, setId] = useUrlValue('tester', words)
  const [day, setDay] = useState<Day | null>(null)
  const open = (opened: Opened | null) => {
    setDay(opened?.day ?? null)
    setId(opened?.id ?? '', { push: false })
  }
  return [id === '' ? null : { id, day }, open] as const
}
