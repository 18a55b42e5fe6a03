import { AttachmentList } from '../../attachments/web/face.tsx'
import type { CampaignTester } from '../contract.ts'

type CheckIn = CampaignTester['checkIns'][number]

/** Whether a check-in has any details. */
export const hasDetails = ({ note, minutes, features, attachment }: CheckIn): boolean =>
  note !== null || minutes !== null || features.length > 0 || attachment !== null

/** A check-in's details; beside a picture, the code that it should show. */
export const CheckInDetails = ({ of: { note, minutes, features, attachment, code } }: { of: CheckIn }) => (
  <div className="grid gap-1.5">
    {(minutes !== null || features.length > 0) && (
      <p>{[minutes !== null && `${minutes} min`, features.join(', ')].filter(Boolean).join(' · ')}</p>
    )}
    {note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{note}</p>}
    {attachment && (
      <div className="flex items-center gap-3">
        <AttachmentList of={[attachment]} label="of the day" />
        {code !== null && (
          <p className="text-muted-foreground">
            The day’s code: <span className="font-mono font-medium text-foreground">{code}</span>
          </p>
        )}
      </div>
    )}
  </div>
)
