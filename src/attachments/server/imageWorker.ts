/**
 * A separate process that decodes images from strangers. If a decoder crashes, only this process ends and not the server; if it
 * takes too long, it is killed. It has no environment, no database and no keys.
 */
import sharp from 'sharp'
import type { Flaw } from '../rules.ts'
import { maxPixels } from '../terms.ts'

export type ImageJob = { id: number; bytes: Uint8Array }
export type CleanImage = {
  bytes: Uint8Array
  preview: Uint8Array
  width: number
  height: number
  lookHash: Uint8Array
}
export type ImageResult = { id: number; image: CleanImage } | { id: number; flaw: Flaw }

const previewSide = 480

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})

const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, animated: false } as const

/** Nine by eight gray pixels, with a bit for each that is darker than its right neighbor (dHash). */
const lookHashOf = async (preview: Buffer): Promise<Uint8Array> => {
  const gray = await sharp(preview).grayscale().resize(9, 8, { fit: 'fill' }).raw().toBuffer()
  const hash = new Uint8Array(8)
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < 8; column++)
      if (gray[row * 9 + column]! < gray[row * 9 + column + 1]!) hash[row]! |= 1 << column
  return hash
}

/** Decodes the image and encodes it again in the same format, upright and without metadata. */
const clean = async (input: Uint8Array): Promise<CleanImage | Flaw> => {
  const { format, width, height } = await sharp(input, { ...options, limitInputPixels: false }).metadata()
  if (width * height > maxPixels) return 'TOO_MANY_PIXELS'
  const decoded = sharp(input, options).autoOrient()
  const encoded =
    format === 'png'
      ? decoded.png({ compressionLevel: 6 })
      : format === 'jpeg'
        ? decoded.jpeg({ quality: 88 })
        : decoded.webp({ quality: 88 })
  const { data: bytes, info } = await encoded.toBuffer({ resolveWithObject: true })
  const preview = await sharp(bytes, options)
    .resize(previewSide, previewSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer()
  return { bytes, preview, width: info.width, height: info.height, lookHash: await lookHashOf(preview) }
}

process.on('message', ({ id, bytes }: ImageJob) => {
  void clean(bytes)
    .catch((): Flaw => 'BROKEN_IMAGE')
    .then(result => process.send?.(typeof result === 'string' ? { id, flaw: result } : { id, image: result }))
})
// The server has ended.
process.on('disconnect', () => process.exit(0))
