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
    summary: `Upload a PNG, JPEG or WebP of at most ${maxImageText} and 40 megapixels, or an MP4 of at most ${maxVideoText}. Metadata is removed. 409 above 2 GB within 24 hours, 429 above 300 attempts within the hour. What is attached to nothing is deleted after 24 hours.`,
    upload: { types: attachmentTypes, maxBytes: Math.max(maxImageBytes, maxVideoBytes) },
    reply: Attachment,
    status: 201,
    errors: ['LIMIT_REACHED', 'TOO_MANY_REQUESTS', 'INSUFFICIENT_STORAGE'],
  },
  file: {
    ...onOne,
    method: 'GET',
    path: '/attachments/:id',
    summary: 'The file: for its uploader, and for whoever may see what it is attached to. A video is a download.',
    file: attachmentTypes,
  },
  preview: {
    ...onOne,
    method: 'GET',
    path: '/attachments/:id/preview',
    summary: 'A small picture of an image; 404 for a video.',
    file: [previewType],
  },
  remove: {
    ...onOne,
    method: 'DELETE',
    path: '/attachments/:id',
    summary: 'Delete an upload of the caller’s that is attached to nothing.',
    errors: ['WRONG_STATE'],
  },
})
