import { useInfiniteQuery } from '@tanstack/react-query'
import { clock, hoursBetween } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { counted } from '../../kit/words.ts'
import { holdWords } from '../../notifications/holdWords.ts'
import type { WaitingAppeal } from '../contract.ts'
import { appealPages } from './calls.ts'
import { rejectionWords } from './statusWords.ts'

/** For admins: appeals that wait for a decision, the oldest first. */
export const AppealQueue = () => (
  <QueueFrame
    of={useInfiniteQuery(appealPages)}
    noun="appeals"
    hint="Appeals of rejections appear here. The pay and the fee are held until you decide."
    skeleton="h-32"
  >
    {item => <AppealCard of={item} />}
  </QueueFrame>
)

type Props = { of: WaitingAppeal }

const AppealCard = ({ of: appeal }: Props) => {
  const { id, alias, campaign, developerName, testerName, appealedAt, code, payCents } = appeal
  return (
    <Card
      title={<span className="wrap-anywhere">{campaign.title}</span>}
      description={
        <>
          {testerName} ({alias}) against {developerName} · <RelativeTime at={appealedAt} />
        </>
      }
      action={<Money cents={payCents} className="font-semibold" />}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="grid gap-1">
          <p>
            Rejected: <span className="font-medium">{rejectionWords[code].toLowerCase()}</span>
          </p>
          <Waiting of={appeal} />
        </div>
        <ButtonLink to={paths.appeal(id)}>
          Review appeal<span className="sr-only"> of {`${alias} of ${campaign.title}`}</span>
        </ButtonLink>
      </div>
    </Card>
  )
}

/** How long it has waited, and what happens without a decision. */
const Waiting = ({ of: { appealedAt, paysAt, heldFor } }: Props) => {
  const days = Math.floor(hoursBetween(appealedAt, clock.now()) / 24)
  return (
    <p className="text-sm text-muted-foreground">
      {days > 0 && <>Waiting for {counted(days, 'day')}. </>}
      {heldFor ? (
        <>The platform cannot pay yet: {holdWords[heldFor]}.</>
      ) : (
        <>
          Without a decision, the platform pays <RelativeTime at={paysAt} />.
        </>
      )}
    </p>
  )
}
