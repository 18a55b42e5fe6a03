import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import type { WaitingRejection } from '../contract.ts'
import { rejectionPages } from './calls.ts'
import { rejectionWords } from './statusWords.ts'

const DecideRejectionDialog = lazy(async () => ({
  default: (await import('./DecideRejectionDialog.tsx')).DecideRejectionDialog,
}))

/** For admins: rejections that need consent, because too many of the developer's rejections were overturned; oldest first. */
export const RejectionQueue = () => (
  <QueueFrame
    of={useInfiniteQuery(rejectionPages)}
    noun="rejections"
    hint="Rejections by developers whose earlier ones were overturned too often appear here for your consent."
    skeleton="h-48"
  >
    {item => <RejectionCard of={item} />}
  </QueueFrame>
)

const buttons = { CONSENT: { label: 'Consent' }, REFUSE: { label: 'Refuse consent', variant: 'outline' } } as const

const RejectionCard = ({ of: rejection }: { of: WaitingRejection }) => {
  const { id, alias, campaign, developerName, requestedAt, code, reason, verifiesAt, overturned, of } = rejection
  const named = `${alias} of ${campaign.title}`
  return (
    <DecisionCard
      of={rejection}
      buttons={buttons}
      named={named}
      dialog={DecideRejectionDialog}
      title={<span className="wrap-anywhere">{campaign.title}</span>}
      description={
        <>
          {developerName} wants to reject {alias}’s proof · <RelativeTime at={requestedAt} />
        </>
      }
      more={
        <ButtonLink variant="ghost" to={paths.reviewOf(campaign.id, id)}>
          View proof<span className="sr-only"> of {named}</span>
        </ButtonLink>
      }
    >
      <div className="grid gap-2">
        <p className="font-medium">{rejectionWords[code]}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{reason}</p>
        <p className="text-sm text-muted-foreground">
          Admins overturned{' '}
          {of === 1 ? 'the developer’s last rejection' : `${overturned} of the developer’s last ${of} rejections`}.
          Without consent the proof is auto-verified <RelativeTime at={verifiesAt} />.
        </p>
      </div>
    </DecisionCard>
  )
}
