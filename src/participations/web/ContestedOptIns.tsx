import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { counted } from '../../kit/words.ts'
import type { ContestedOptIn } from '../contract.ts'
import { contestedPages } from './calls.ts'
import { OptInScreenshot } from './OptInScreenshot.tsx'

const DecideOptInDialog = lazy(async () => ({ default: (await import('./DecideOptInDialog.tsx')).DecideOptInDialog }))

/** Contested opt-ins, for an admin to decide. */
export const ContestedOptIns = () => (
  <QueueFrame
    of={useInfiniteQuery(contestedPages)}
    noun="contested opt-ins"
    hint="Opt-ins that developers contest appear here."
    skeleton="h-64"
  >
    {item => <ContestCard of={item} />}
  </QueueFrame>
)

const buttons = { CLEAR: { label: 'Count opt-in' }, VOID: { label: 'Void opt-in', variant: 'outline' } } as const

const ContestCard = ({ of: contest }: { of: ContestedOptIn }) => {
  const { alias, campaign } = contest
  return (
    <DecisionCard
      of={contest}
      buttons={buttons}
      named={`${alias} of ${campaign.title}`}
      dialog={DecideOptInDialog}
      title={
        <Link to={paths.campaign(campaign.id)} className="wrap-anywhere hover:underline">
          {campaign.title}
        </Link>
      }
      description={
        <>
          {alias} · contested by {contest.developerName} <RelativeTime at={contest.contestedAt} />
        </>
      }
    >
      {/* Four dates side by side do not fit a phone on one line each. */}
      <div className="grid gap-4 [&_time]:whitespace-normal">
        <p className="whitespace-pre-wrap wrap-anywhere">{contest.reason}</p>
        <DescriptionList
          stacked
          items={[
            { label: 'Opted in', value: <DateTime at={contest.startedAt} withTime /> },
            { label: 'Last confirmed', value: <DateTime at={contest.confirmedAt} withTime /> },
            {
              label: 'Check-ins',
              value: (
                <>
                  {counted(contest.checkIns, 'day')}
                  {contest.lastCheckInAt && (
                    <>
                      , the last <RelativeTime at={contest.lastCheckInAt} />
                    </>
                  )}
                </>
              ),
            },
            { label: 'Without a decision, counts again', value: <DateTime at={contest.clearsAt} withTime /> },
          ]}
        />
        <OptInScreenshot of={contest.screenshot} />
      </div>
    </DecisionCard>
  )
}
