/** What an edit changed at once, for the campaign's activity. Every other event is recorded by triggers. */
import type { Tx } from '../../kit/server/db.ts'
import type { CampaignChange } from '../contract.ts'
import { isRunning } from '../rules.ts'
import { editableFields } from '../terms.ts'
import { type CampaignRow, insertEdit } from './queries.ts'

const filtersOf = ({ countries, minAndroidVersion, minIOSVersion }: CampaignRow) => ({
  countries,
  minAndroidVersion,
  minIOSVersion,
})

const isLink = (field: string) => field === 'distributionLink' || field === 'groupLink'

/** Records which fields actually changed; false when none did. While the campaign runs, its links wait (links.ts). */
export const recordEdit = async (tx: Tx, row: CampaignRow, change: CampaignChange, now: string): Promise<boolean> => {
  const before: CampaignChange = { ...row, filters: filtersOf(row) }
  const changed = editableFields.filter(
    field =>
      !(isLink(field) && isRunning(row.status)) &&
      change[field] !== undefined &&
      JSON.stringify(change[field]) !== JSON.stringify(before[field]),
  )
  if (changed.length === 0) return false
  await insertEdit(tx, row.id, changed, now)
  return true
}
