import { Suspense, lazy } from 'react'
import type { Cents } from '../../kit/money.ts'
import type { CampaignTester } from '../contract.ts'

const ReviewDialog = lazy(async () => ({ default: (await import('./ReviewDialog.tsx')).ReviewDialog }))

type Props = {
  testers: readonly CampaignTester[]
  openId: string | null
  escrowCents: Cents | null
  onClose: () => void
}

/** The dialog of the opened tester, if they are in the list. */
export const ReviewOf = ({ testers, openId, escrowCents, onClose }: Props) => {
  const tester = testers.find(({ id }) => id === openId)
  if (!tester) return null
  return (
    <Suspense>
      <ReviewDialog key={tester.id} of={tester} escrowCents={escrowCents} onClose={onClose} />
    </Suspense>
  )
}
