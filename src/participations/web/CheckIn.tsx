import { CircleCheck } from 'lucide-react'
import { Suspense } from 'react'
import { dayIn } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/lazyParts.ts'
import type { CampaignTester } from '../contract.ts'

const CheckInForm = startedPart(async () => (await import('./CheckInForm.tsx')).CheckInForm)

/** The form until today's check-in; nothing when the test no longer takes check-ins. */
export const CheckIn = ({ of: test }: { of: CampaignTester }) => {
  const today = dayIn(test.timeZone, useNow())
  if (test.actions.includes('checkIn')) {
    return (
      <Suspense fallback={<Skeleton className="h-10 w-40 md:h-9" />}>
        <CheckInForm of={test} />
      </Suspense>
    )
  }
  if (test.status !== 'ACTIVE' || !test.checkIns.some(({ day }) => day === today)) return null
  return (
    <p className="flex items-center gap-2 font-medium">
      <CircleCheck aria-hidden className="size-4.5 text-link" />
      Checked in today
    </p>
  )
}
