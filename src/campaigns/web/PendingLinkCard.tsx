import { ArrowDown, ArrowRight } from 'lucide-react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { counted } from '../../kit/words.ts'
import type { Campaign } from '../contract.ts'
import type { Decision } from './decisions.ts'
import { LinkLine } from './LinkLine.tsx'
import { PendingCard } from './PendingCard.tsx'
import { PlainHttpWarning } from './PlainHttpWarning.tsx'

type Props = { campaign: Campaign; onAsk: (action: Decision) => void }

/** A running campaign with a changed link that waits for an admin. */
export const PendingLinkCard = ({ campaign, onAsk }: Props) => {
  const { pendingLinkSince, _count } = campaign
  return (
    <PendingCard
      campaign={campaign}
      facts={counted(_count.campaignTesters, 'tester')}
      since={pendingLinkSince}
      buttons={<LinkButtons campaign={campaign} onAsk={onAsk} named />}
    >
      <OldAndNewLink campaign={campaign} />
    </PendingCard>
  )
}

/** `named`: the screen shows several campaigns, so screen readers are told which one a button belongs to. */
export const LinkButtons = ({ campaign: { title, actions }, onAsk, named = false }: Props & { named?: boolean }) => (
  <div className="flex flex-wrap gap-2">
    {actions.includes('approveLink') && (
      <Button onClick={() => onAsk('approveLink')} aria-label={named ? `Approve link: ${title}` : undefined}>
        Approve link
      </Button>
    )}
    {actions.includes('rejectLink') && (
      <Button
        variant="outline"
        onClick={() => onAsk('rejectLink')}
        aria-label={named ? `Reject link: ${title}` : undefined}
      >
        Reject link
      </Button>
    )}
  </div>
)

/** The waiting links, the app's, the Google Group's or both, which are decided together. */
export const OldAndNewLink = ({ campaign }: { campaign: Campaign }) => (
  <div className="grid gap-5">
    <Pair of="link" current={campaign.distributionLink} next={campaign.pendingLink} />
    <Pair of="Google Group" current={campaign.groupLink} next={campaign.pendingGroupLink} />
  </div>
)

const Pair = ({ of, current, next }: { of: string; current: string | null; next: string | null }) => {
  if (next === null) return null
  return (
    <div className="grid gap-3">
      <div className="grid gap-x-5 gap-y-2 md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <Labelled label={`Current ${of}`} link={current} />
        <ArrowRight aria-hidden className="mt-6 size-4 text-muted-foreground max-md:hidden" />
        <ArrowDown aria-hidden className="size-4 text-muted-foreground md:hidden" />
        <Labelled label={`New ${of}`} link={next} />
      </div>
      <PlainHttpWarning link={next} />
    </div>
  )
}

const Labelled = ({ label, link }: { label: string; link: string | null }) => (
  <div role="group" aria-label={label} className="min-w-0">
    <p aria-hidden className="text-muted-foreground">
      {label}
    </p>
    {link !== null && <LinkLine link={link} whole />}
  </div>
)
