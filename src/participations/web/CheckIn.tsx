import { CircleCheck } from 'lucide-react'
import { dayIn } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import type { CampaignTester } from '../contract.ts'
import { daysCheckedIn } from './days.ts'

const loading = <Skeleton className="h-10 w-40 md:h-9" />
const CheckInForm = startedPart(async () => (await import('./CheckInForm.tsx')).CheckInForm, loading)

/** The form until today's check-in; nothing when the test no longer takes check-ins. */
export const CheckIn = ({ of: test }: { of: CampaignTester }) => {
  const today = dayIn(test.timeZone, useNow())
  if (test.actions.includes('checkIn')) return <CheckInForm of={test} />
  if (test.status !== 'ACTIVE' || !daysCheckedIn(test).has(today)) return null
  return (
    <p className="flex items-center gap-2 font-medium">
      <CircleCheck aria-hidden className="size-4.5 text-link" />
      Checked in today
    </p>
  )
}
