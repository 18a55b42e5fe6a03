/**
 * The tokens of emailed links. A token is derived from its link's id and the server's secret: the job that writes the email
 * derives it again, so no table or queue ever holds it. Only its hash is stored.
 */
import { createHash, createHmac } from 'node:crypto'

/** 144 bits make 24 characters, so the whole link stays on one line of an email. */
const tokenBytes = 18

let key: Buffer | undefined

/** The secret of the access tokens, from which the key of the links is derived. */
export const useLinkSecret = (secret: string): void => {
  key = createHmac('sha256', secret).update('emailed links').digest()
}

export const linkTokenOf = (linkId: string): string => {
  if (!key) throw new Error('useLinkSecret() first')
  return createHmac('sha256', key).update(linkId).digest().subarray(0, tokenBytes).toString('base64url')
}

export const hashOfLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()
