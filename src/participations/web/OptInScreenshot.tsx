import type { Attachment } from '../../attachments/contract.ts'
import { AttachmentList } from '../../attachments/web/face.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'

/** The tester's screenshots of the opted-in page; says so if there are none. */
export const OptInScreenshot = ({ of: screenshot }: { of: Attachment | null }) => {
  if (!screenshot) return <p className="text-muted-foreground">The tester sent no screenshot of the opted-in page.</p>
  return (
    <div className="grid gap-1.5">
      <p className="text-muted-foreground">
        Screenshot of the opted-in page, uploaded <DateTime at={screenshot.createdAt} withTime />
      </p>
      <AttachmentList of={[screenshot]} label="of the opt-in" />
    </div>
  )
}
