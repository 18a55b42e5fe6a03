import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import type { WaitingRejection } from '../contract.ts'
import type { ConsentDecision } from '../terms.ts'
import { rejectionPages } from './calls.ts'
import { rejectionWords } from './statusWords.ts'

const DecideRejectionDialog = lazy(async () => ({
  default: (await import('./DecideRejectionDialog.tsx')).DecideRejectionDialog,
}))

/** For admins: rejections of developers whose rejections were overturned too often, the oldest first. */
export const RejectionQueue = () => (
  <QueueFrame
    of={useInfiniteQuery(rejectionPages)}
    noun="rejections"
    hint="When a developer whose rejections were overturned too often rejects a proof, it appears here for your consent."
    skeleton="h-48"
  >
    {item => <RejectionCard of={item} />}
  </QueueFrame>
)

const RejectionCard = ({ of: rejection }: { of: WaitingRejection }) => {
  const { id, alias, campaign, developerName, requestedAt, code, reason, verifiesAt, overturned, of } = rejection
  const [asked, setAsked] = useState<ConsentDecision | null>(null)
  const named = `${alias} of ${campaign.title}`
  return (
    <Card
      title={<span className="wrap-anywhere">{campaign.title}</span>}
      description={
        <>
          {developerName} wants to reject {alias}’s proof · <RelativeTime at={requestedAt} />
        </>
      }
      footer={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsked('CONSENT')} aria-label={`Consent: ${named}`}>
            Consent
          </Button>
          <Button variant="outline" onClick={() => setAsked('REFUSE')} aria-label={`Refuse: ${named}`}>
            Refuse
          </Button>
          <ButtonLink variant="ghost" to={paths.reviewOf(campaign.id, id)}>
            Look at the proof<span className="sr-only"> of {named}</span>
          </ButtonLink>
        </div>
      }
    >
      <div className="grid gap-2">
        <p className="font-medium">{rejectionWords[code]}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{reason}</p>
        <p className="text-sm text-muted-foreground">
          {overturned} of the developer’s last {of} rejections were overturned. Without consent the proof is
          auto-verified <RelativeTime at={verifiesAt} />.
        </p>
      </div>
      {asked && (
        <Suspense>
          <DecideRejectionDialog decision={asked} of={rejection} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </Card>
  )
}
