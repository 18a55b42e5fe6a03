import { useQuery } from '@tanstack/react-query'
import { Film, ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import type { Attachment } from '../contract.ts'
import { isImage } from '../terms.ts'
import { api } from './calls.ts'
import { attachmentKeys } from './keys.ts'

/** A URL for the blob while it is shown. */
export const useAddress = (blob: Blob | null | undefined): string | null => {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    // oxlint-disable-next-line react/set-state-in-effect -- the address lives exactly as long as the effect
    setAddress(made)
    return () => {
      setAddress(null)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return address
}

const frame =
  'size-14 shrink-0 overflow-hidden rounded-md border bg-muted grid place-items-center text-muted-foreground'

type Props = { file?: Blob | null; attachment: Attachment | null; alt?: string; className?: string }

/** A thumbnail: of the file itself if it is on this device, otherwise the server's preview. */
export const Thumb = ({ file = null, attachment, alt = '', className = '' }: Props) => {
  const type = attachment?.type ?? file?.type ?? ''
  const preview = useQuery({
    queryKey: attachmentKeys.preview(attachment?.id ?? ''),
    queryFn: ({ signal }) => api.preview({ params: { id: attachment!.id }, signal }),
    enabled: !file && attachment !== null && isImage(type),
    staleTime: Infinity,
  })
  const address = useAddress(isImage(type) ? (file ?? preview.data) : null)
  if (address) return <img src={address} alt={alt} className={`${frame} object-cover ${className}`} />
  if (isImage(type) && preview.isLoading) return <Skeleton className={`${frame} ${className}`} />
  const Icon = isImage(type) ? ImageOff : Film
  return (
    <span className={`${frame} ${className}`}>
      <Icon aria-hidden className="size-5" />
      {alt && <span className="sr-only">{alt}</span>}
    </span>
  )
}
