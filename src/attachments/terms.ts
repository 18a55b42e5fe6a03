/** Has no zod schemas, so that an initial screen can import it. */

const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
const videoType = 'video/mp4'
export const attachmentTypes = [...imageTypes, videoType] as const
export const previewType = 'image/webp'

const megabyte = 1_048_576
export const maxImageBytes = 10 * megabyte
export const maxVideoBytes = 50 * megabyte
export const maxImageText = `${maxImageBytes / megabyte} MB`
export const maxVideoText = `${maxVideoBytes / megabyte} MB`
/** For the hint of a field that takes attachments. */
export const attachmentsHint = `PNG, JPEG or WebP up to ${maxImageText}, MP4 up to ${maxVideoText}.`
export const maxPixels = 40_000_000

/** What one user may have uploaded but not attached to anything. */
export const looseLimits = { files: 60, bytes: 200 * megabyte }

/** What one user may upload within 24 hours, attached or not. */
export const mostBytesPerDay = 2048 * megabyte

/** Counts attempts of one user, including refused ones, because each may cost the decoder time. */
export const mostUploadsPerHour = 300

/** Files that are not attached to anything are deleted after this many hours. */
export const looseHours = 24

/** What a file can be attached to. */
export const attachedTo = ['PROOF', 'CHECK_IN', 'OPT_IN', 'BUG', 'APPEAL'] as const
export type AttachedTo = (typeof attachedTo)[number]

export const isImage = (type: string): boolean => (imageTypes as readonly string[]).includes(type)
