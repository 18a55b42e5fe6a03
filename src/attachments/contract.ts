/** Files that people upload: screenshots and screen recordings (product.md §10). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id, Instant } from '../kit/schemas.ts'
import { attachmentTypes, maxImageBytes, maxImageText, maxVideoBytes, maxVideoText, previewType } from './terms.ts'

export const AttachmentType = z.enum(attachmentTypes)
export type AttachmentType = z.output<typeof AttachmentType>

export const Attachment = z.object({
  id: Id,
  type: AttachmentType,
  /** The stored size: images are re-encoded. */
  bytes: z.int(),
  /** In pixels; null for a video. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  createdAt: Instant,
})
export type Attachment = z.output<typeof Attachment>

const onOne = { access: 'SIGNED_IN', params: ById } as const

export const attachmentApi = endpoints({
  upload: {
    method: 'POST',
    path: '/attachments',
    access: 'SIGNED_IN',
    summary: `Upload a PNG, JPEG or WebP of at most ${maxImageText} and 40 megapixels, or an MP4 of at most ${maxVideoText}. Metadata is removed. 409 above 2 GB in 24 hours, 429 above 300 attempts in an hour. Files that are not attached to anything are deleted after 24 hours.`,
    upload: { types: attachmentTypes, maxBytes: Math.max(maxImageBytes, maxVideoBytes) },
    reply: Attachment,
    status: 201,
    errors: ['LIMIT_REACHED', 'TOO_MANY_REQUESTS', 'INSUFFICIENT_STORAGE'],
  },
  file: {
    ...onOne,
    method: 'GET',
    path: '/attachments/:id',
    summary:
      'The file, for its uploader and for anyone who may see what it is attached to. Videos are sent as downloads.',
    file: attachmentTypes,
  },
  preview: {
    ...onOne,
    method: 'GET',
    path: '/attachments/:id/preview',
    summary: 'A thumbnail of an image; 404 for a video.',
    file: [previewType],
  },
  remove: {
    ...onOne,
    method: 'DELETE',
    path: '/attachments/:id',
    summary: 'Delete one of the caller’s uploads that is not attached to anything.',
    errors: ['WRONG_STATE'],
  },
})
