import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askPasskey, makePasskey, passkeysWork } from './passkeyPrompt.ts'

const bytes = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0)).buffer
const text = (buffer: BufferSource) => String.fromCharCode(...new Uint8Array(buffer as ArrayBuffer))
/** Not a `DOMException`: jsdom's comes from another realm, so unlike a browser's it is no `Error` here. */
const named = (name: string) => Object.assign(new Error('What the browser says'), { name })

const get = vi.fn<(asked: { publicKey: PublicKeyCredentialRequestOptions }) => Promise<unknown>>()
const create = vi.fn<(asked: { publicKey: PublicKeyCredentialCreationOptions }) => Promise<unknown>>()

const credential = (response: object) => ({
  id: 'a2V5',
  rawId: bytes('key'),
  type: 'public-key',
  response: { clientDataJSON: bytes('data'), ...response },
  getClientExtensionResults: () => ({}),
})

const request = { challenge: 'YXNrZWQ', rpId: 'fieldtest.test', allowCredentials: [] } as unknown
const ask = () => askPasskey(request as Parameters<typeof askPasskey>[0])
const make = () =>
  makePasskey({
    challenge: 'YXNrZWQ',
    rp: { id: 'fieldtest.test', name: 'Fieldtest' },
    user: { id: 'dW1h', name: 'uma@example.com', displayName: 'Uma' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  })

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', class {})
  Object.defineProperty(navigator, 'credentials', { value: { get, create }, configurable: true })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'credentials')
  vi.unstubAllGlobals()
})

test('a browser without passkeys is recognized', () => {
  expect(passkeysWork()).toBe(true)
  vi.unstubAllGlobals()
  expect(passkeysWork()).toBe(false)
})

test('the browser signs the server’s challenge, and returns an answer that the server can check', async () => {
  get.mockResolvedValueOnce(credential({ authenticatorData: bytes('from'), signature: bytes('signed') }))
  expect(await ask()).toMatchObject({
    id: 'a2V5',
    type: 'public-key',
    response: { clientDataJSON: 'ZGF0YQ', authenticatorData: 'ZnJvbQ', signature: 'c2lnbmVk' },
  })
  const { challenge, rpId } = get.mock.lastCall![0].publicKey
  expect([text(challenge), rpId]).toEqual(['asked', 'fieldtest.test'])
})

test('the browser makes the passkey that the server describes', async () => {
  create.mockResolvedValueOnce(credential({ attestationObject: bytes('made') }))
  expect(await make()).toMatchObject({
    id: 'a2V5',
    type: 'public-key',
    response: { clientDataJSON: 'ZGF0YQ', attestationObject: 'bWFkZQ' },
  })
  const { challenge, user } = create.mock.lastCall![0].publicKey
  expect([text(challenge), text(user.id), user.name]).toEqual(['asked', 'uma', 'uma@example.com'])
})

describe.each([
  ['asked for', get, ask],
  ['made', create, make],
])('a passkey that is %s', (_, browser, use) => {
  test.each([
    ['NotAllowedError', 'The passkey dialog was closed, or it took too long. Try again.'],
    ['SecurityError', 'Passkeys do not work at this address. Open Fieldtest at its usual address.'],
    ['InvalidStateError', 'This device has a passkey for your account already.'],
    ['NotSupportedError', 'This device cannot be used: it has no screen lock, fingerprint or PIN.'],
    ['UnknownError', 'The passkey could not be used. Try again.'],
  ])('fails with %s: “%s”', async (name, sentence) => {
    browser.mockRejectedValueOnce(named(name))
    const error = await use().then(
      () => null,
      (refused: unknown) => refused as Error,
    )
    expect(error?.message).toBe(sentence)
    // The error keeps the browser's own one for the log.
    expect(error?.cause).toMatchObject({ name })
  })

  test('fails with a sentence even if the browser rejects with something other than an error', async () => {
    browser.mockRejectedValueOnce('no')
    await expect(use()).rejects.toThrow('The passkey could not be used. Try again.')
  })
})
