import { client } from '../../kit/web/api.ts'
import { type Sending, uploadTo } from '../../kit/web/upload.ts'
import type { Attachment, attachmentApi } from '../contract.ts'

export const api = client<typeof attachmentApi>('attachments')

export const sendFile = (file: Blob, sending: Sending): Promise<Attachment> =>
  uploadTo<Attachment>('attachments', 'upload', file, sending)
