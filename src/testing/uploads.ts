/** Uploads as browsers send them, and as none would. */
import type { Attachment } from '../attachments/contract.ts'
import type { ErrorBody } from '../kit/errors.ts'
import type { Person, TestApp } from './app.ts'

type Part = { name?: string; filename?: string | null; type?: string; bytes: Uint8Array | string }

const boundary = 'fieldtest-boundary'

/** A body of multipart/form-data. */
export const formOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name = 'file', filename = 'picture.png', type = 'application/octet-stream', bytes }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === null ? '' : `; filename="${filename}"`}\r\n${filename === null ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      ),
      Buffer.from(bytes as Uint8Array),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

export const formType = `multipart/form-data; boundary=${boundary}`

export type Uploaded = { status: number; body: Attachment & ErrorBody; headers: Record<string, unknown> }

/** Sends these bytes as the body of an upload. */
export const sendForm = async (t: TestApp, person: Person, form: Uint8Array, type = formType): Promise<Uploaded> => {
  const { accessToken } = person
  const reply = await t.app.inject({
    method: 'POST',
    url: '/api/v1/attachments',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': type },
    payload: Buffer.from(form),
  })
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
}

export const upload = (
  t: TestApp,
  person: Person,
  bytes: Uint8Array | string,
  part: Partial<Part> = {},
): Promise<Uploaded> => sendForm(t, person, formOf([{ ...part, bytes }]))

/** The attachment; throws when it was refused. */
export const uploaded = async (t: TestApp, person: Person, bytes: Uint8Array): Promise<Attachment> => {
  // Any call renews a token that expired when the clock was moved.
  await person.call('GET', '/users/me')
  const { status, body } = await upload(t, person, bytes)
  if (status !== 201) throw new Error(`the upload was refused: ${JSON.stringify(body)}`)
  return body
}
