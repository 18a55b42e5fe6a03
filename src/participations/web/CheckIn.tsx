import { CircleCheck } from 'lucide-react'
import { dayIn, type Instant } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import { useNow } from '../../kit/web/now.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import type { CampaignTester } from '../contract.ts'
import { daysCheckedIn, withAllDays } from './days.ts'

const loading = <Skeleton className="h-10 w-40 md:h-9" />
const CheckInForm = startedPart(async () => (await import('./CheckInForm.tsx')).CheckInForm, loading)

const fullWords = (test: CampaignTester, now: Instant) =>
  // There may be as many check-ins as days, from two opt-ins, while the present one still lacks a day.
  withAllDays(test, now)
    ? `Checked in on all ${counted(test.campaign.durationDays, 'day')}`
    : 'No check-in needed today'

/** The form until today's check-in is made, or all days have one; renders nothing once the test takes no check-ins. */
export const CheckIn = ({ of: test }: { of: CampaignTester }) => {
  const now = useNow()
  const today = dayIn(test.timeZone, now)
  const { actions, campaign, nextStep, status } = test
  const isFull = campaign.dailyCheckIn && nextStep === null && actions.includes('checkIn')
  if (actions.includes('checkIn') && !isFull) return <CheckInForm of={test} />
  if (!isFull && (status !== 'ACTIVE' || !daysCheckedIn(test).has(today))) return null
  return (
    <p className="flex items-center gap-2 font-medium">
      <CircleCheck aria-hidden className="size-4.5 text-link" />
      {isFull ? fullWords(test, now) : 'Checked in today'}
    </p>
  )
}
