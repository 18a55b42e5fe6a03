import { formatCents } from '../../kit/money.ts'
import type { Campaign, CampaignAction } from '../contract.ts'

/** The label of an action's button in this state. */
export const actionLabel = (action: CampaignAction, { status, outstandingCents }: Campaign): string =>
  ({
    update: 'Edit',
    fund: `Pay ${formatCents(outstandingCents)}`,
    renew: 'Make new payment',
    submit: 'Submit for approval',
    approve: 'Approve',
    reject: 'Reject',
    approveLink: 'Approve link',
    rejectLink: 'Reject link',
    start: status === 'PAUSED' ? 'Resume' : 'Start campaign',
    pause: 'Pause',
    closeSeat: 'Close a free seat',
    cancel: 'Cancel campaign',
    join: 'Join Campaign',
    enterBench: 'Wait for a seat',
  })[action]
