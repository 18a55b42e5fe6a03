/** What a test has to show for itself: its check-ins with their pictures, and the files of its proof. */
import { attachedTo, type AttachmentRow } from '../../attachments/server/attachments.ts'
import type { Tx } from '../../kit/server/db.ts'
import type { CampaignTester } from '../contract.ts'
import * as queries from './queries.ts'

export type Evidence = {
  checkIns: CampaignTester['checkIns']
  proofFiles: AttachmentRow[]
  /** Oldest first. */
  optInPictures: AttachmentRow[]
}

/** Of a page of tests at once. */
export const evidenceOf = async (tx: Tx, ids: readonly string[]): Promise<(id: string) => Evidence> => {
  const checkIns = Map.groupBy(await queries.checkInsOf(tx, ids), row => row.participationId)
  const files = Map.groupBy(await attachedTo(tx, ids), row => row.participationId)
  return id => {
    const own = files.get(id) ?? []
    const pictures = new Map(own.flatMap(file => (file.kind === 'CHECK_IN' ? [[file.day, file]] : [])))
    return {
      checkIns: (checkIns.get(id) ?? []).map(row => ({ ...row, attachment: pictures.get(row.day) ?? null })),
      proofFiles: own.filter(({ kind }) => kind === 'PROOF'),
      optInPictures: own.filter(({ kind }) => kind === 'OPT_IN'),
    }
  }
}

/** The last one that was made after the run before ended: it shows the present one. */
export const pictureSince = (pictures: Evidence['optInPictures'], before: string | null): AttachmentRow | null =>
  pictures.findLast(({ createdAt }) => before === null || createdAt > before) ?? null
