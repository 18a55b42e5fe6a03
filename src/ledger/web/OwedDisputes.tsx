import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Dispute } from '../disputesContract.ts'
import { owedPages } from './disputeCalls.ts'

/**
 * For admins: closed disputes for which a developer owes something, or has to get something back. There are rarely any, so nothing
 * is shown until one is known.
 */
export const OwedDisputes = () => {
  const pages = useInfiniteQuery(owedPages)
  const title = useId()
  if (!pages.error && !pages.data?.pages[0]?.items.length) return null
  return (
    <section className="mt-8 grid gap-4" aria-labelledby={title}>
      <h2 id={title} className="text-lg font-semibold">
        Debts for lost disputes
      </h2>
      <InfiniteQuery of={pages} loading={null} errorTitle="Failed to load the debts" empty={null}>
        {disputes => (
          <ul className="grid gap-4">
            {disputes.map(dispute => (
              <li key={dispute.id} className="min-w-0">
                <Debt of={dispute} />
              </li>
            ))}
          </ul>
        )}
      </InfiniteQuery>
    </section>
  )
}

const Debt = ({ of: { id, campaign, developer, owedCents, giveBackCents } }: { of: Dispute }) => (
  <Card title={<span className="wrap-anywhere">{campaign.title}</span>} description={developer.name}>
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="grid min-w-0 gap-1">
        {owedCents > 0 && (
          <p>
            Owes the platform <Money cents={owedCents} className="font-semibold" />
          </p>
        )}
        {giveBackCents > 0 && (
          <p>
            Give back <Money cents={giveBackCents} className="font-semibold" />
          </p>
        )}
      </div>
      <ButtonLink to={paths.dispute(id)} variant={giveBackCents > 0 ? 'primary' : 'outline'}>
        Open the case<span className="sr-only"> of {campaign.title}</span>
      </ButtonLink>
    </div>
  </Card>
)
