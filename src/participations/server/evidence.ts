/** A test's evidence: its check-ins with their pictures, and the files of its proof. */
import type { AttachmentRow } from '../../attachments/server/attachments.ts'
import type { CampaignTester } from '../contract.ts'
import type { Evidence } from './rows.ts'

type Shown = {
  checkIns: CampaignTester['checkIns']
  proofFiles: AttachmentRow[]
  appealFiles: AttachmentRow[]
  /** Oldest first. */
  optInPictures: AttachmentRow[]
}

export const optInPicturesOf = ({ attached }: Pick<Evidence, 'attached'>): AttachmentRow[] =>
  attached.filter(({ kind }) => kind === 'OPT_IN')

export const evidenceOf = ({ checkIns, attached, runs }: Pick<Evidence, 'checkIns' | 'attached' | 'runs'>): Shown => {
  const voided = new Set(runs.flatMap(run => (run.voided ? [run.id] : [])))
  const pictures = new Map(attached.flatMap(file => (file.kind === 'CHECK_IN' ? [[file.day, file]] : [])))
  return {
    checkIns: checkIns.map(({ runId, ...row }) => ({
      ...row,
      attachment: pictures.get(row.day) ?? null,
      ...(runId !== null && voided.has(runId) && { voided: true }),
    })),
    proofFiles: attached.filter(({ kind }) => kind === 'PROOF'),
    appealFiles: attached.filter(({ kind }) => kind === 'APPEAL'),
    optInPictures: optInPicturesOf({ attached }),
  }
}

/** The last picture from after the previous run ended: it shows the present one. */
export const pictureSince = (pictures: readonly AttachmentRow[], before: string | null): AttachmentRow | null =>
  pictures.findLast(({ createdAt }) => before === null || createdAt > before) ?? null
