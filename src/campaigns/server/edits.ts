/** Records in the campaign's activity what an edit changed. Triggers record every other event. */
import type { Tx } from '../../kit/server/db.ts'
import type { CampaignChange } from '../contract.ts'
import { isRunning } from '../rules.ts'
import { editableFields } from '../terms.ts'
import { type CampaignRow, insertEdit } from './queries.ts'

export const filtersOf = ({ countries, minAndroidVersion, minIOSVersion }: CampaignRow) => ({
  countries,
  minAndroidVersion,
  minIOSVersion,
})

const isLink = (field: string) => field === 'distributionLink' || field === 'groupLink'

/**
 * Records which fields actually changed; false if none did. Links of a running campaign are not among them: they wait (links.ts).
 */
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
