/** A passkey in software: makes and signs what a browser would send, correct or with one thing wrong. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Assertion, Attestation } from '../accounts/secondFactorContract.ts'

type Where = {
  origin?: string
  rpId?: string
  /** The person was asked for a fingerprint or a PIN. */
  verified?: boolean
  /** The authenticator's counter; one more each time by default. */
  counter?: number
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()
const uint = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

export type Authenticator = {
  credentialId: string
  attest: (challenge: string, where?: Where) => Attestation
  assert: (challenge: string, where?: Where) => Assertion
}

/** For the site at `http://localhost:3000`, where a test's application runs. */
export const newAuthenticator = (): Authenticator => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let signatures = 0

  const clientData = (type: string, challenge: string, { origin = 'http://localhost:3000' }: Where) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const authenticatorData = ({ rpId = 'localhost', verified = true, counter }: Where, attested: Buffer | null) => {
    signatures = counter ?? signatures + 1
    const set = flags.present | (verified ? flags.verified : 0) | (attested ? flags.attested : 0)
    return Buffer.concat([sha256(rpId), uint(set, 1), uint(signatures, 4), attested ?? Buffer.alloc(0)])
  }

  /** COSE_Key of ES256. */
  const coseKey = () =>
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    )
  const common = { id: text(id), rawId: text(id), type: 'public-key' as const, clientExtensionResults: {} }

  return {
    credentialId: text(id),
    attest: (challenge, where = {}) => {
      const attested = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey()])
      const authData = new Uint8Array(authenticatorData(where, attested))
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', authData],
        ]),
      )
      const clientDataJSON = text(clientData('webauthn.create', challenge, where))
      return {
        ...common,
        response: { clientDataJSON, attestationObject: text(attestationObject), transports: ['internal'] },
      }
    },
    assert: (challenge, where = {}) => {
      const client = clientData('webauthn.get', challenge, where)
      const data = authenticatorData(where, null)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        ...common,
        response: { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) },
      }
    },
  }
}
