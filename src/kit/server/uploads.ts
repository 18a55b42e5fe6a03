/**
 * Files uploaded as multipart/form-data, in one field with nothing else. The bytes are passed on as they arrive, and nothing here
 * keeps them. The parser is loaded with the first upload.
 */
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Upload } from '../endpoint.ts'
import { DomainError } from '../errors.ts'
import { watchPace } from './slowCallers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a file: its body is not parsed, and the time limit of JSON bodies does not apply. */
    upload?: boolean
  }
}

/** The most bytes that may surround a single file: boundaries and part headers. */
const frameBytes = 8_192

const field = 'file'

export const notAForm = (): DomainError =>
  new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the file as multipart/form-data, in the field "${field}".`)
const notOneFile = () => {
  const message = `Send one file, in the field "${field}", and nothing else.`
  return new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })
}
const cutOff = () => new DomainError('INVALID_INPUT', 'The upload was cut off. Send the file again.')
const tooLarge = ({ maxBytes }: Upload) =>
  new DomainError('PAYLOAD_TOO_LARGE', `This file is too large: at most ${Math.floor(maxBytes / 1_048_576)} MB.`)

/** Mounts a route whose body is a file; it takes nothing else, not even JSON. */
export const takeUploads = (app: FastifyInstance, route: RouteOptions): void => {
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
    scope.route({ ...route, config: { upload: true } })
  })
}

/** The bytes of the file. If the caller stops reading early, the rest of the body is discarded. */
export async function* uploadOf(request: FastifyRequest, upload: Upload): AsyncGenerator<Uint8Array, void> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) throw notAForm()
  if (Number(request.headers['content-length'] ?? 0) > upload.maxBytes + frameBytes)
    throw discarding(request, tooLarge(upload))
  const bytes = new PassThrough()
  const { raw } = request
  let received = 0
  const count = (chunk: Buffer) => {
    received += chunk.length
  }
  const gone = () => {
    if (!raw.readableEnded) bytes.destroy(cutOff())
  }
  // An error before the first read is thrown by that read.
  bytes.on('error', () => undefined)
  const stopWatching = watchPace(
    () => received,
    refusal => bytes.destroy(refusal),
  )
  raw.once('close', gone)
  try {
    const form = await formInto(bytes, request, upload)
    // Not earlier than there is a reader, because listening makes the bytes flow.
    raw.on('data', count).pipe(form)
    yield* bytes as AsyncIterable<Buffer>
  } finally {
    stopWatching()
    raw.off('data', count).off('close', gone)
    bytes.destroy()
    discarding(request)
  }
}

/** Reads on and discards everything, so a caller who is still sending gets to see the answer. */
const discarding = <T>({ raw }: FastifyRequest, refusal?: T): T => {
  raw.unpipe()
  raw.resume()
  return refusal as T
}

const formInto = async (bytes: PassThrough, { headers }: FastifyRequest, upload: Upload) => {
  const { Busboy } = await import('@fastify/busboy')
  // One part more than is allowed, so that a second one is noticed.
  const limits = { fileSize: upload.maxBytes, files: 1, fields: 0, parts: 2, headerPairs: 20, fieldNameSize: 100 }
  const form = (() => {
    try {
      return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits })
    } catch {
      throw notAForm()
    }
  })()
  let files = 0
  const refuse = (refusal: DomainError) => bytes.destroy(refusal)
  form.on('file', (name, file) => {
    files++
    file.on('error', () => refuse(cutOff()))
    if (name !== field) {
      file.resume()
      return refuse(notOneFile())
    }
    file.once('limit', () => refuse(tooLarge(upload)))
    file.pipe(bytes, { end: false })
  })
  for (const more of ['filesLimit', 'fieldsLimit', 'partsLimit', 'field'] as const)
    form.on(more, () => refuse(notOneFile()))
  form.on('error', () => refuse(cutOff()))
  form.on('finish', () => (files === 1 ? bytes.end() : refuse(notOneFile())))
  return form
}
