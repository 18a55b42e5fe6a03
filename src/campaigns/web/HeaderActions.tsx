import { Ban, CircleMinus, Ellipsis, Pause } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DropdownMenu, MenuItem } from '../../kit/web/ui/DropdownMenu.tsx'
import type { Campaign, CampaignAction } from '../contract.ts'

/** The actions other than the next step, which has its own box. */
export const HeaderActions = ({
  campaign: { id, status, actions },
  onAsk,
}: {
  campaign: Campaign
  onAsk: (action: CampaignAction) => void
}) => (
  <>
    {actions.includes('update') && status !== 'REJECTED' && (
      <ButtonLink to={paths.campaignEdit(id)} variant="outline">
        Edit
      </ButtonLink>
    )}
    {actions.includes('pause') && (
      <Button variant="outline" onClick={() => onAsk('pause')}>
        <Pause aria-hidden /> Pause
      </Button>
    )}
    {actions.includes('cancel') && (
      <DropdownMenu
        trigger={
          <Button variant="outline" size="icon" aria-label="More actions">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        {actions.includes('closeSeat') && (
          <MenuItem onSelect={() => onAsk('closeSeat')}>
            <CircleMinus aria-hidden /> Close a free seat
          </MenuItem>
        )}
        <MenuItem destructive onSelect={() => onAsk('cancel')}>
          <Ban aria-hidden /> Cancel campaign
        </MenuItem>
      </DropdownMenu>
    )}
  </>
)
