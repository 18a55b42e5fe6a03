import { FileDown, Sheet } from 'lucide-react'
import { messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { useTask } from '../../kit/web/task.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'

type Props = {
  kind: 'PDF' | 'CSV'
  /** For example "of November 2026": tells several buttons apart in a screen reader. */
  of?: string
  fileName: string
  ask: () => Promise<Blob>
  size?: 'sm' | 'md'
  disabled?: boolean
}

/** Fetches a file with the access token, which a plain link would not send, and saves it. */
export const DownloadButton = ({ kind, of, fileName, ask, size = 'md', disabled }: Props) => {
  const failed = (error: unknown) => notify.error(messageOf(error, `Failed to download the ${kind}`))
  const download = useTask(() => ask().then(file => downloadBlob(fileName, file), failed))
  return (
    <Button
      variant="outline"
      size={size}
      className="print:hidden"
      disabled={disabled}
      loading={download.pending}
      onClick={() => void download.run()}
    >
      {kind === 'PDF' ? <FileDown aria-hidden /> : <Sheet aria-hidden />} {kind}
      {of !== undefined && <span className="sr-only"> {of}</span>}
    </Button>
  )
}
