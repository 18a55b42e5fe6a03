/**
 * Secrets at rest that the server must read again, such as a TOTP secret, sealed with AES-256-GCM. A sealed value names its key,
 * so a new key can be put first without touching the rows.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export const encryptionKeyBytes = 32

const formatVersion = 1
const idBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + idBytes

type Key = { id: Buffer; secret: Buffer }

let keys: readonly Key[] = []

/** Derived from the key itself, so nobody has to number keys. */
const idOf = (secret: Buffer) =>
  createHash('sha256').update('fieldtest key id').update(secret).digest().subarray(0, idBytes)

/** The 32 bytes of a key in base64, or null. */
export const parseEncryptionKey = (text: string): Buffer | null => {
  const secret = Buffer.from(text, 'base64')
  return secret.length === encryptionKeyBytes && secret.toString('base64') === text ? secret : null
}

/** Base64 keys: the first one seals, all of them open. Throws when one is not a key. */
export const useEncryptionKeys = (encoded: readonly [string, ...string[]]): void => {
  keys = encoded.map(text => {
    const secret = parseEncryptionKey(text)
    if (!secret) throw new Error(`An encryption key must be ${encryptionKeyBytes} bytes in base64`)
    return { id: idOf(secret), secret }
  })
}

const currentKey = (): Key => {
  const [first] = keys
  if (!first) throw new Error('useEncryptionKeys() first')
  return first
}

/** `place` is where the value belongs, such as `totp:<user id>`: copied to another place it does not open. */
export const seal = (text: string, place: string): Buffer => {
  const { id, secret } = currentKey()
  const header = Buffer.concat([Buffer.of(formatVersion), id])
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.concat([header, Buffer.from(place)]))
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([header, nonce, hidden, cipher.getAuthTag()])
}

/** Throws when the value was changed, belongs to another place, or its key is not among those of this server. */
export const unseal = (sealed: Buffer, place: string): string => {
  const header = sealed.subarray(0, headerBytes)
  if (sealed.length < headerBytes + nonceBytes + tagBytes || sealed[0] !== formatVersion) {
    throw new Error('This is not a sealed value')
  }
  const key = keys.find(({ id }) => id.equals(header.subarray(1)))
  if (!key)
    throw new Error('A stored secret was sealed with a key that this server does not have: set ENCRYPTION_KEY_PREVIOUS')
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.concat([header, Buffer.from(place)]))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([
    decipher.update(sealed.subarray(headerBytes + nonceBytes, -tagBytes)),
    decipher.final(),
  ]).toString('utf8')
}

/** True when it should be sealed again, with the key that is now in use. */
export const isSealedWithOldKey = (sealed: Buffer): boolean => !currentKey().id.equals(keyIdOf(sealed))

/** The id of the key that sealed it. */
export const keyIdOf = (sealed: Buffer): Buffer => sealed.subarray(1, headerBytes)

/** The ids of the keys that open, as in bytes 2 to 5 of a sealed value. */
export const keyIds = (): Buffer[] => keys.map(({ id }) => id)

/** The ids of the keys that still open but no longer seal, as in bytes 2 to 5 of a sealed value. */
export const oldKeyIds = (): Buffer[] => keys.slice(1).map(({ id }) => id)

/**
 * A hash that only this server can make, for finding equal texts without reading them. It uses the key that now seals, so a value
 * that is sealed again is also hashed again.
 */
export const keyedHash = (text: string, purpose: string): Buffer => {
  const key = hkdfSync('sha256', currentKey().secret, Buffer.alloc(0), `hash:${purpose}`, 32)
  return createHmac('sha256', Buffer.from(key)).update(text, 'utf8').digest()
}
