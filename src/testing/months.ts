/** Tests of a month's figures, whatever day they run on. */
import { clock, daysAfter, hoursBetween } from '../kit/clock.ts'
import { monthStart } from '../dashboards/rules.ts'
import type { TestApp } from './app.ts'

/** Goes to the fourth day of the next month, so that everything within the following weeks is in one month and one year. */
export const goToNextMonth = (t: Pick<TestApp, 'advance'>): Promise<void> =>
  t.advance(hoursBetween(clock.now(), daysAfter(monthStart(clock.now(), -1), 3)))
