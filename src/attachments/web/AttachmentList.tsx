import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Spinner } from '../../kit/web/ui/Spinner.tsx'
import { ErrorState } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Attachment } from '../contract.ts'
import { isImage } from '../terms.ts'
import { api } from './calls.ts'
import { attachmentKeys } from './keys.ts'
import { Thumb, useAddress } from './Thumb.tsx'

type Props = {
  of: readonly Attachment[]
  /** Describes the files to people who do not see them: "Picture 1 of the proof". */
  label: string
}

/** Thumbnails that open in full size; videos are downloaded. */
export const AttachmentList = ({ of: attachments, label }: Props) => {
  const [open, setOpen] = useState<Attachment | null>(null)
  const save = useMutation({
    mutationFn: (attachment: Attachment) => api.file({ params: { id: attachment.id } }),
    onSuccess: (blob, { id }) => downloadBlob(`recording-${id.slice(-8)}.mp4`, blob),
    onError: error => notify.error(messageOf(error, 'Failed to load the video')),
  })
  if (attachments.length === 0) return null
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {attachments.map((attachment, index) => {
          const name = `${isImage(attachment.type) ? 'Picture' : 'Video'} ${index + 1} ${label}`
          return (
            <li key={attachment.id}>
              <button
                type="button"
                aria-busy={save.isPending && save.variables.id === attachment.id}
                aria-label={isImage(attachment.type) ? `Open ${name}` : `Download ${name}`}
                data-tip={isImage(attachment.type) ? undefined : 'Download the video'}
                className="block rounded-md"
                onClick={() => (isImage(attachment.type) ? setOpen(attachment) : save.mutate(attachment))}
              >
                <Thumb attachment={attachment} className="size-20" />
              </button>
            </li>
          )
        })}
      </ul>
      {open && (
        <Dialog
          open
          onOpenChange={() => setOpen(null)}
          title={`Picture ${attachments.indexOf(open) + 1} ${label}`}
          wide
        >
          <FullSize of={open} name={`Picture ${attachments.indexOf(open) + 1} ${label}`} />
        </Dialog>
      )}
    </>
  )
}

const FullSize = ({ of: { id }, name }: { of: Attachment; name: string }) => {
  const file = useQuery({
    queryKey: attachmentKeys.file(id),
    queryFn: ({ signal }) => api.file({ params: { id }, signal }),
    staleTime: Infinity,
  })
  const address = useAddress(file.data)
  if (file.isError) {
    return (
      <ErrorState
        title="Failed to load the picture"
        message={messageOf(file.error)}
        onRetry={() => void file.refetch()}
      />
    )
  }
  if (!address) return <Spinner label="Loading the picture" />
  return <img src={address} alt={name} className="mx-auto max-h-[75dvh] max-w-full rounded-md object-contain" />
}
