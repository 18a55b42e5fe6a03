import { useUser } from '../../kit/web/user.ts'
import type { Campaign } from '../contract.ts'
import type { Decision } from './decisions.ts'
import { newLinkName } from './words.ts'
import { LinkButtons, OldAndNewLink } from './PendingLinkCard.tsx'

type Props = { campaign: Campaign; onAsk: (action: Decision) => void }

/** On the campaign's screen, for its owner and for admins: the changed link that waits. */
export const PendingLink = ({ campaign, onAsk }: Props) => {
  const isAdmin = useUser().role === 'ADMIN'
  const what = newLinkName(campaign)
  const both = campaign.pendingLink !== null && campaign.pendingGroupLink !== null
  return (
    <section aria-labelledby="pending-link" className="grid gap-4 rounded-xl border bg-accent px-5 py-4 lg:col-span-2">
      <div>
        <h2 id="pending-link" className="text-base font-semibold">
          {isAdmin
            ? `A new ${what} ${both ? 'are' : 'is'} waiting for your decision`
            : `Your new ${what} ${both ? 'are' : 'is'} waiting for approval`}
        </h2>
        <p className="max-w-prose">
          {isAdmin
            ? 'Check that it belongs to the same app and developer. Testers keep the current link until you decide.'
            : 'Testers keep the current link until we have approved the new one. To withdraw it, edit the campaign and put the current link back.'}
        </p>
      </div>
      <OldAndNewLink campaign={campaign} />
      {isAdmin && <LinkButtons campaign={campaign} onAsk={onAsk} />}
    </section>
  )
}
