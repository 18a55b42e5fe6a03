import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { useUser } from '../../kit/web/user.ts'
import type { CampaignTester } from '../contract.ts'
import { funnelWords, isKeptOut, isOnTheWayIn, notInside, stuckHead, stuckWords } from './funnel.ts'
import { NudgeButton } from './OptInActions.tsx'
import { useWholeRoster } from './roster.ts'

const waitsForOwner = ({ nextStep }: CampaignTester) => nextStep === 'WAIT_FOR_LIST'

/** Testers who have not got in yet, how far they are and since when; renders nothing if everybody is in. */
export const StuckTesters = ({ campaignId, className = '' }: { campaignId: string; className?: string }) => {
  const { role } = useUser()
  const testers = useWholeRoster(campaignId, null).data?.pages.flatMap(({ items }) => items) ?? []
  const onTheWay = testers.filter(isOnTheWayIn)
  if (onTheWay.length === 0) return null
  // The owner adds all waiting testers in one go, so they are one line. Testers whom Google Play keeps out have another problem.
  const waiting = onTheWay.filter(tester => waitsForOwner(tester) && !isKeptOut(tester))
  const together = waiting.length > 1
  // First the testers whom the owner can help.
  const each = onTheWay
    .filter(tester => !(together && waiting.includes(tester)))
    .toSorted((a, b) => Number(waitsForOwner(b)) - Number(waitsForOwner(a)))
  // An admin has no such tab.
  const door = (variant: 'primary' | 'outline') =>
    role === 'DEVELOPER' && (
      <ButtonLink variant={variant} size="sm" to={paths.campaignTab(campaignId, 'list')}>
        Open the tester list
      </ButtonLink>
    )
  return (
    <Card {...stuckHead(onTheWay)} flush className={className}>
      <ul className="divide-y">
        {together && (
          <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
            <p className="min-w-0">
              <span className="font-medium">{waiting.length} testers</span>{' '}
              <span className="text-muted-foreground">
                are waiting for you: {notInside(waiting[0]?.campaign.accessMode ?? 'EMAIL_LIST')}
              </span>
              <span className="block text-xs text-muted-foreground">
                {waiting.map(({ alias }) => alias).join(', ')}
              </span>
            </p>
            {door('primary')}
          </li>
        )}
        {each.map(tester => (
          <li key={tester.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
            <p className="min-w-0">
              <span className="font-medium">{tester.alias}</span>{' '}
              <span className="text-muted-foreground">{stuckWords(tester)}</span>
              {tester.funnel && (
                <span className="block text-xs text-muted-foreground">
                  since <DateTime at={funnelWords(tester, tester.funnel).since} />
                </span>
              )}
            </p>
            {waitsForOwner(tester) ? door('outline') : <NudgeButton of={tester} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
