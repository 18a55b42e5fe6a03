/** What a test has to show for itself: its check-ins with their pictures, and the files of its proof. */
import type { AttachmentRow } from '../../attachments/server/attachments.ts'
import type { CampaignTester } from '../contract.ts'
import type { Evidence } from './rows.ts'

type Shown = {
  checkIns: CampaignTester['checkIns']
  proofFiles: AttachmentRow[]
  /** Oldest first. */
  optInPictures: AttachmentRow[]
}

export const optInPicturesOf = ({ attached }: Pick<Evidence, 'attached'>): AttachmentRow[] =>
  attached.filter(({ kind }) => kind === 'OPT_IN')

export const evidenceOf = ({ checkIns, attached }: Evidence): Shown => {
  const pictures = new Map(attached.flatMap(file => (file.kind === 'CHECK_IN' ? [[file.day, file]] : [])))
  return {
    checkIns: checkIns.map(row => ({ ...row, attachment: pictures.get(row.day) ?? null })),
    proofFiles: attached.filter(({ kind }) => kind === 'PROOF'),
    optInPictures: optInPicturesOf({ attached }),
  }
}

/** The last one that was made after the run before ended: it shows the present one. */
export const pictureSince = (pictures: readonly AttachmentRow[], before: string | null): AttachmentRow | null =>
  pictures.findLast(({ createdAt }) => before === null || createdAt > before) ?? null
