/** Access tokens changed in every way that we could think of; the random numbers are the same in every run. */
import { createHmac } from 'node:crypto'
import { roles } from '../kit/roles.ts'
import { audience, header, issuer } from '../kit/server/accessToken.ts'

export const secret = 'today'.repeat(8)
export const previous = 'yesterday'.repeat(5)
const strange = 'somebody else’s'.repeat(4)

export const nowMs = Date.UTC(2026, 10, 21, 6, 16, 59, 700)
const nowS = Math.floor(nowMs / 1000)

let state = 20_261_121
const below = (limit: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]!

export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const signatureOf = (signed: string, key: string) => createHmac('sha256', key).update(signed).digest('base64url')

type Parts = { header: unknown; claims: unknown; key: string }
const made = ({ header: named, claims, key }: Parts) => {
  const signed = `${encode(named)}.${encode(claims)}`
  return `${signed}.${signatureOf(signed, key)}`
}

export const sub = '019e8a00-0000-7000-8000-000000000001'
const good = () => ({
  role: oneOf(roles),
  sid: '019e8a00-0000-7000-8000-00000000000a',
  iss: issuer,
  aud: audience,
  sub,
  iat: nowS - below(900),
  exp: nowS + 1 + below(900),
})
const ours = (): Parts => ({ header, claims: good(), key: oneOf([secret, secret, previous]) })

const headers: unknown[] = [
  { alg: 'none', typ: 'at+jwt' },
  { alg: 'none' },
  { alg: 'HS512', typ: 'at+jwt' },
  { alg: 'HS384', typ: 'at+jwt' },
  { alg: 'RS256', typ: 'at+jwt' },
  { alg: 'hs256', typ: 'at+jwt' },
  { typ: 'at+jwt', alg: 'HS256' },
  { ...header, kid: '1' },
  { ...header, jku: 'https://evil.example/keys' },
  { ...header, crit: ['exp'] },
  { ...header, crit: ['b64'], b64: false },
  { ...header, b64: true },
  { alg: 'HS256', typ: 'JWT' },
  { alg: 'HS256', typ: 'application/at+jwt' },
  { alg: 'HS256', typ: 'AT+JWT' },
  { alg: 'HS256' },
  { typ: 'at+jwt' },
  '{"alg":"HS256", "typ":"at+jwt"}',
  '{"alg":"none","alg":"HS256","typ":"at+jwt"}',
  '{"alg":"HS256","typ":"at+jwt"}\n',
  '',
  '[]',
  'null',
  'at+jwt',
]

const odd: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  [],
  {},
  [audience],
  [issuer],
  nowS + 60,
  `${nowS + 60}`,
  1e300,
  2 ** 53,
]
const times = () =>
  oneOf<unknown>([nowS - 1, nowS, nowS + 1, nowS + 0.5, nowS - 0.5, -nowS, nowS * 1000, `${nowS + 9}`])

const withOtherClaim = (): Parts => {
  const claims: Record<string, unknown> = good()
  const name = oneOf(['role', 'sid', 'iss', 'aud', 'sub', 'iat', 'exp', 'nbf', 'extra', '__proto__', 'scope'])
  if (below(4) === 0) delete claims[name]
  else Object.defineProperty(claims, name, { value: oneOf([...odd, times(), 'OWNER', 'ADMIN']), enumerable: true })
  return { ...ours(), claims }
}
const bodies = ['', 'null', '[]', '"text"', '7', '{', '{}', '{"a":1}x', '\u{feff}{}']
const withOtherBody = (): Parts => {
  const text = JSON.stringify(good())
  const same = oneOf([
    ` ${text}`,
    `${text}\n`,
    text.replace('{', '{"aud":"x",'),
    text.replace('}', ',"aud":"x"}'),
    text.slice(1),
  ])
  return { ...ours(), claims: oneOf([...bodies, same, `\u{feff}${text}`]) }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('')
const strangers = ['+', '/', '=', ' ', '\n', '\t', '.', '%', '\0', 'é', 'Ł', '\u{1f600}']

/** The text with one character changed, added or left out. */
const edited = (text: string): string => {
  const place = below(text.length + 1)
  const put = below(3) === 0 ? oneOf(strangers) : oneOf(alphabet)
  return text.slice(0, place) + (below(4) === 0 ? '' : put) + text.slice(place + below(2))
}
const withFlippedBit = (text: string): string => {
  const bytes = Buffer.from(text)
  const place = below(bytes.length)
  bytes[place] = bytes[place]! ^ (1 << below(8))
  return bytes.toString('latin1')
}
/** Changes the last character of a part, which holds the part's spare bits. */
const withOtherEnd = (text: string): string => {
  const parts = text.split('.')
  const part = below(3)
  parts[part] = parts[part]!.slice(0, -1) + oneOf(alphabet)
  return parts.join('.')
}
/** The same bytes in another encoding; the signature covers the encoded text. */
const withOtherEncoding = (): string => {
  const parts = ours()
  const rewrite = oneOf<(text: string) => string>([
    text => `${text}=`,
    text => `${text}==`,
    text => `${text} `,
    text => `\n${text}`,
    text => `${text.slice(0, 8)} ${text.slice(8)}`,
    text => text.replaceAll('-', '+').replaceAll('_', '/'),
    text => Buffer.from(text, 'base64url').toString('base64'),
    text => Buffer.from(text, 'base64url').toString('hex'),
    text => encode(text),
    text => text,
  ])
  const only = below(4)
  const [first, payload] = [parts.header, parts.claims].map((value, part) =>
    (only === part ? rewrite : String)(encode(value)),
  )
  const signed = `${first}.${payload}`
  const signature = signatureOf(signed, parts.key)
  return `${signed}.${only === 2 ? rewrite(signature) : signature}`
}
const withOtherLength = (): string => {
  const token = made({ ...ours(), claims: { ...good(), pad: 'x'.repeat(below(900)) } })
  return oneOf([
    token,
    token.slice(0, below(token.length)),
    token + token,
    `${token}.`,
    `.${token}`,
    token.repeat(3),
    '',
  ])
}
const withoutSignature = (): string => {
  const signed = `${encode(oneOf([header, { ...header, alg: 'none' }]))}.${encode(good())}`
  return oneOf([signed, `${signed}.`, `${signed}.${'A'.repeat(43)}`, `${signed}..`])
}

const kinds: (() => string)[] = [
  () => made(ours()),
  () => made({ ...ours(), key: oneOf([strange, secret.slice(1), `${secret}!`, secret.toUpperCase()]) }),
  () => made({ ...ours(), header: oneOf(headers) }),
  () => made(withOtherClaim()),
  () => made(withOtherClaim()),
  () => made(withOtherBody()),
  () => edited(made(ours())),
  () => withFlippedBit(made(ours())),
  () => withOtherEnd(made(ours())),
  withOtherEncoding,
  withOtherLength,
  withoutSignature,
]

/** Uses each way in turn. */
export const changedToken = (place: number): string => kinds[place % kinds.length]!()
