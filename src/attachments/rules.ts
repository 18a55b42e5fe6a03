/** What may be uploaded and attached (product.md §10). Pure. */
import { DomainError } from '../kit/errors.ts'
import {
  attachmentTypes,
  type AttachedTo,
  isImage,
  looseLimits,
  maxImageBytes,
  maxImageText,
  maxPixels,
  maxVideoBytes,
  maxVideoText,
  mostBytesPerDay,
} from './terms.ts'
import type { AttachmentType } from './contract.ts'

const ofFile = (code: 'INVALID_INPUT' | 'UNSUPPORTED_MEDIA_TYPE' | 'PAYLOAD_TOO_LARGE', message: string) =>
  new DomainError(code, message, { fields: { file: message } })

/** The type found in the file's bytes, if we accept it. An animated PNG counts as a PNG; its first picture is kept. */
export const acceptedType = (found: string | undefined): AttachmentType => {
  const type = found === 'image/apng' ? 'image/png' : found
  if (type !== undefined && (attachmentTypes as readonly string[]).includes(type)) return type as AttachmentType
  throw ofFile('UNSUPPORTED_MEDIA_TYPE', 'This is not a PNG, JPEG, WebP or MP4 file, whatever its name says.')
}

export const maxBytesOf = (type: AttachmentType): number => (isImage(type) ? maxImageBytes : maxVideoBytes)

export const tooLarge = (type: AttachmentType): DomainError =>
  isImage(type)
    ? ofFile('PAYLOAD_TOO_LARGE', `This image is too large: at most ${maxImageText}.`)
    : ofFile('PAYLOAD_TOO_LARGE', `This video is too large: at most ${maxVideoText}.`)

export const emptyFile = (): DomainError => ofFile('INVALID_INPUT', 'This file is empty.')

/** Why an image or a video was rejected. */
export type Flaw = 'BROKEN_IMAGE' | 'TOO_MANY_PIXELS' | 'TOO_LONG' | 'BROKEN_VIDEO'

const flawWords: Record<Flaw, string> = {
  BROKEN_IMAGE: 'This image is damaged and cannot be read.',
  TOO_MANY_PIXELS: `This image is too large: at most ${maxPixels / 1_000_000} megapixels.`,
  TOO_LONG: 'This image takes too long to process. Upload a smaller one.',
  BROKEN_VIDEO: 'This video is damaged, or is not a plain MP4 file.',
}

export const flawed = (flaw: Flaw): DomainError => ofFile('INVALID_INPUT', flawWords[flaw])

export const tooManyUploads = 'You have uploaded too many files in the last hour. Try again later.'

/** An uploader's files that are not attached to anything, and everything uploaded in the last 24 hours. */
export type Uploads = { looseFiles: number; looseBytes: number; bytesToday: number }

/** Throws if the uploader has no room for another file of this size. */
export const assertRoom = ({ looseFiles, looseBytes, bytesToday }: Uploads, more: number): void => {
  if (bytesToday + more > mostBytesPerDay)
    throw new DomainError(
      'LIMIT_REACHED',
      'You have reached the limit of 2 GB of uploads in 24 hours. Continue tomorrow.',
    )
  if (looseFiles < looseLimits.files && looseBytes + more <= looseLimits.bytes) return
  throw new DomainError(
    'LIMIT_REACHED',
    'You have uploaded many files without attaching them to anything. Remove some, or wait: they are deleted after 24 hours.',
  )
}

const takeVideos: readonly AttachedTo[] = ['PROOF', 'BUG', 'APPEAL']

export const assertFits = (type: AttachmentType, kind: AttachedTo): void => {
  if (takeVideos.includes(kind) || isImage(type)) return
  const message = 'Attach a picture here, not a video.'
  throw new DomainError('INVALID_INPUT', message, { fields: { attachmentId: message } })
}

export const attachedElsewhere = (): DomainError =>
  new DomainError('WRONG_STATE', 'This file is already attached to something else. Upload it again.')
