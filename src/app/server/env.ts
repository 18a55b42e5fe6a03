/** The environment, parsed once at startup. The README lists every variable with its meaning and default. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { parseBucket } from '../../kit/server/bucketUrl.ts'
import { parsePlace } from '../../backups/server/places.ts'
import { parsePoolSizes } from '../../kit/server/connections.ts'
import { parseEncryptionKey } from '../../kit/server/encryption.ts'

const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional())

const databaseFault = (url: string): string | undefined => {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'must start with postgres:// or postgresql://'
  try {
    // Reads the address and the certificates that it names, and connects to nothing.
    void new pg.Client({ connectionString: url })
    return undefined
  } catch (error) {
    if (error instanceof Error && 'path' in error) return `names a file that cannot be read: ${String(error.path)}`
    return 'must be an address such as postgres://name:password@host:5432/fieldtest, with %23 for a # in the password'
  }
}
const postgresUrl = z.string().superRefine((url, context) => {
  const message = databaseFault(url)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})
const postgresUrls = z
  .string()
  .transform(text => text.split(',').map(url => url.trim()))
  .pipe(z.array(postgresUrl))
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an address such as https://fieldtest.example' })
const withoutSlash = (address: string) => address.replace(/\/+$/, '')
/** Without a trailing slash: paths are appended. */
const webAddress = webUrl
  .refine(address => !/[?#]/.test(address), { error: 'must be an address without ? and #' })
  .transform(withoutSlash)
const webOrigin = webUrl.transform(withoutSlash).refine(address => /^https?:\/\/[^/?#@]+$/i.test(address), {
  error: 'must be an address without a path, such as https://fieldtest.example',
})
const isHost = (host: string) =>
  // A host that ends in a number is meant as an IPv4 address.
  isIP(host) !== 0 || /^(?!.*\.?\d+$)[a-z\d]([\w-]*[a-z\d])?(\.[a-z\d]([\w-]*[a-z\d])?)*$/i.test(host)
/** One address, alone or in angle brackets after a name. */
const sender = /^(("[^"\\]*"\s*|[^"<>,;:@]*)<[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/
const mailServer = z.string().superRefine((url, context) => {
  if (!/^smtps?:\/\//.test(url)) context.addIssue({ code: 'custom', message: 'must start with smtp:// or smtps://' })
  else if (!URL.canParse(url) || new URL(url).hostname === '')
    context.addIssue({ code: 'custom', message: 'must be an address such as smtp://name:password@host:587' })
})
const port = z.string().refine(value => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, {
  error: 'must be a whole number from 0 to 65535',
})
const encryptionKey = z.string().refine(text => parseEncryptionKey(text) !== null, {
  error: 'must be 32 bytes in base64, such as `openssl rand -base64 32` prints',
})
const perHour = z.string().refine(value => /^[1-9]\d{0,5}$/.test(value), {
  error: 'must be a whole number from 1 to 999999',
})
const jwtSecret = z.string().min(32, { error: 'must have at least 32 characters' })
const contact = z.string().refine(value => /^(mailto:\S+@\S+|https:\/\/\S+)$/.test(value), {
  error: 'must be an address such as mailto:security@fieldtest.example or https://fieldtest.example/security',
})
const storageUrl = z
  .string()
  .refine(url => URL.canParse(url) && (url.startsWith('file:///') || parseBucket(url) !== null), {
    error: 'must be file:///folder or https://KEY:SECRET@host/bucket?region=…',
  })
const share = z
  .string()
  .refine(value => /^(0(\.\d+)?|1(\.0+)?)$/.test(value), { error: 'must be a number from 0 to 1' })
const megabytes = z.string().refine(value => /^\d{1,9}$/.test(value), { error: 'must be a whole number of megabytes' })
const poolSizes = z.string().transform((text, context) => {
  const sizes = parsePoolSizes(text)
  if (typeof sizes !== 'string') return sizes
  context.addIssue({ code: 'custom', message: sizes })
  return z.NEVER
})
const switchOf = (on: string, off: string) => z.enum([on, off], { error: `must be ${on} or ${off}` })

const Environment = z.object({
  NODE_ENV: optional(
    z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }),
  ),
  PORT: optional(port).transform(value => Number(value ?? 3000)),
  HOST: optional(
    z.string().refine(isHost, { error: 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0' }),
  ).transform(host => host ?? '127.0.0.1'),
  DATA_DIR: optional(z.string()).transform(folder => resolve(folder ?? './data')),
  DATABASE_URL: optional(postgresUrl),
  DATABASE_DIRECT_URL: optional(postgresUrl),
  DATABASE_MIGRATION_URL: optional(postgresUrl),
  DATABASE_REPLICA_URLS: optional(postgresUrls).transform(urls => urls ?? []),
  PREPARED_STATEMENTS: optional(switchOf('on', 'off')).transform(value => value !== 'off'),
  POOL_SIZES: optional(poolSizes),
  PUBLIC_URL: optional(webOrigin),
  ADMIN_EMAIL: optional(z.email({ error: 'must be an email address' }).toLowerCase()),
  ADMIN_PASSWORD: optional(
    z
      .string()
      .min(6, { error: 'must have at least 6 characters' })
      .max(200, { error: 'may have at most 200 characters' }),
  ),
  JWT_SECRET: optional(jwtSecret),
  JWT_SECRET_PREVIOUS: optional(jwtSecret),
  ENCRYPTION_KEY: optional(encryptionKey),
  ENCRYPTION_KEY_PREVIOUS: optional(encryptionKey),
  DRAIN_SECONDS: optional(
    z.string().refine(value => /^\d{1,3}$/.test(value), { error: 'must be a whole number of seconds from 0 to 999' }),
  ),
  RATE_LIMIT: optional(switchOf('on', 'off')).transform(value => value !== 'off'),
  REGISTRATIONS_PER_HOUR: optional(perHour),
  FIELDTEST_TEST_CLOCK: optional(switchOf('1', '0')).transform(value => value === '1'),
  TRUST_PROXY: optional(switchOf('1', '0')).transform(value => value === '1'),
  SMTP_URL: optional(mailServer),
  MAIL_FROM: optional(
    z.string().regex(sender, { error: 'must be an address, such as Fieldtest <hello@fieldtest.example>' }),
  ).transform(from => from ?? 'Fieldtest <no-reply@fieldtest.local>'),
  LOG_LEVEL: optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    }),
  ),
  SECURITY_CONTACT: optional(contact),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webAddress),
  OTEL_SERVICE_NAME: optional(z.string()).transform(name => name ?? 'fieldtest'),
  OTEL_TRACES_SAMPLER_ARG: optional(share).transform(value => Number(value ?? 1)),
  METRICS_TOKEN: optional(
    z.string().regex(/^[\x21-\x7e]{16,200}$/, { error: 'must be 16 to 200 visible ASCII characters' }),
  ),
  STORAGE_URL: optional(storageUrl),
  SANDBOX_FILE: optional(z.string()),
  STRIPE_SECRET_KEY: optional(
    z.string().refine(key => /^(sk|rk)_\w{3,}$/.test(key), { error: 'must be a Stripe key, sk_… or rk_…' }),
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    z.string().refine(secret => /^whsec_\S+$/.test(secret), { error: 'must be a webhook secret, whsec_…' }),
  ),
  STRIPE_API_BASE: optional(webOrigin),
  BACKUP_TO: optional(
    z.string().refine(text => parsePlace(text) !== null, {
      error: 'must be a folder or s3://KEY:SECRET@host/bucket?region=…',
    }),
  ),
  BACKUP_KEY: optional(encryptionKey),
  BACKUP_KEEP_DAYS: optional(
    z
      .string()
      .refine(value => /^[1-9]\d{0,3}$/.test(value), { error: 'must be a whole number of days from 1 to 9999' })
      .transform(Number),
  ),
  MIN_FREE_DISK_MB: optional(megabytes).transform(value => Number(value ?? 256)),
})

type Given = z.output<typeof Environment>

export type Env = Omit<Given, 'REGISTRATIONS_PER_HOUR' | 'LOG_LEVEL' | 'DRAIN_SECONDS'> & {
  production: boolean
  /** Per network. */
  REGISTRATIONS_PER_HOUR: number
  LOG_LEVEL: NonNullable<Given['LOG_LEVEL']>
  /** How long connections are still accepted once the server is no longer ready. */
  DRAIN_SECONDS: number
}

/** Throws an Error whose message names every invalid variable, one per line. */
export const readEnv = (source: NodeJS.ProcessEnv): Env => {
  const parsed = Environment.safeParse(source)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`).join('\n'))
  }
  const production = parsed.data.NODE_ENV === 'production'
  const registrations = parsed.data.REGISTRATIONS_PER_HOUR ?? (production ? 20 : 300)
  const env = {
    ...parsed.data,
    production,
    REGISTRATIONS_PER_HOUR: Number(registrations),
    LOG_LEVEL: parsed.data.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    DRAIN_SECONDS: Number(parsed.data.DRAIN_SECONDS ?? (production ? 5 : 0)),
  }
  const wrong = wrongTogether(env)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return env
}

const wrongTogether = (env: Env): string[] => [
  ...(env.DATABASE_DIRECT_URL && !env.DATABASE_URL ? ['DATABASE_DIRECT_URL needs DATABASE_URL'] : []),
  ...(env.DATABASE_MIGRATION_URL && !env.DATABASE_URL ? ['DATABASE_MIGRATION_URL needs DATABASE_URL'] : []),
  ...(env.DATABASE_REPLICA_URLS.length > 0 && !env.DATABASE_URL ? ['DATABASE_REPLICA_URLS needs DATABASE_URL'] : []),
  ...(env.production && !env.RATE_LIMIT ? ['RATE_LIMIT=off is refused when NODE_ENV=production'] : []),
  ...(env.production && env.FIELDTEST_TEST_CLOCK ? ['FIELDTEST_TEST_CLOCK is refused when NODE_ENV=production'] : []),
  ...(env.production && !env.JWT_SECRET ? ['JWT_SECRET is required when NODE_ENV=production'] : []),
  ...(env.production && !env.ENCRYPTION_KEY ? ['ENCRYPTION_KEY is required when NODE_ENV=production'] : []),
  ...(env.ENCRYPTION_KEY_PREVIOUS && !env.ENCRYPTION_KEY ? ['ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY'] : []),
  ...(env.JWT_SECRET_PREVIOUS && !env.JWT_SECRET ? ['JWT_SECRET_PREVIOUS needs JWT_SECRET'] : []),
  ...(Boolean(env.ADMIN_EMAIL) === Boolean(env.ADMIN_PASSWORD)
    ? []
    : ['ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither']),
  ...(env.STRIPE_SECRET_KEY && !env.STRIPE_WEBHOOK_SECRET ? ['STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET'] : []),
  ...(env.STRIPE_WEBHOOK_SECRET && !env.STRIPE_SECRET_KEY ? ['STRIPE_WEBHOOK_SECRET needs STRIPE_SECRET_KEY'] : []),
  ...(env.STRIPE_API_BASE && !env.STRIPE_SECRET_KEY ? ['STRIPE_API_BASE needs STRIPE_SECRET_KEY'] : []),
  // Stripe sends people back to this address.
  ...(env.production && env.STRIPE_SECRET_KEY && !env.PUBLIC_URL ? ['STRIPE_SECRET_KEY needs PUBLIC_URL'] : []),
  ...(env.BACKUP_TO && !env.BACKUP_KEY ? ['BACKUP_TO needs BACKUP_KEY'] : []),
]
