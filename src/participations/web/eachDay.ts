import { useEffect, useRef } from 'react'
import { dayIn } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import type { CampaignTester } from '../contract.ts'

type Loaded = { dataUpdatedAt: number; refetch: (options: { cancelRefetch: boolean }) => Promise<unknown> }

/**
 * Loads a query again when a new calendar day begins in a time zone of its tests, since "Checked in today" is then no longer
 * true. The day is not part of the query's key: the first answer may correct the page's clock, and the list would be loaded
 * twice.
 */
export const useEachDay = (
  { dataUpdatedAt, refetch }: Loaded,
  tests: readonly Pick<CampaignTester, 'timeZone'>[],
): void => {
  const now = useNow()
  const today = [...new Set(tests.map(({ timeZone }) => timeZone))].map(zone => dayIn(zone, now)).join()
  const loaded = useRef({ at: 0, on: today })
  useEffect(() => {
    if (loaded.current.at !== dataUpdatedAt) loaded.current = { at: dataUpdatedAt, on: today }
    if (dataUpdatedAt === 0 || loaded.current.on === today) return
    loaded.current.on = today
    // Another observer of the same query may have loaded it already.
    void refetch({ cancelRefetch: false })
  }, [dataUpdatedAt, today, refetch])
}
