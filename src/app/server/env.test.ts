import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'

/** The lines of the error, or null if the environment is valid. */
const wrong = (source: NodeJS.ProcessEnv): string[] | null => {
  try {
    readEnv(source)
    return null
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

const encryptionKey = Buffer.alloc(32, 7).toString('base64')
const production = {
  NODE_ENV: 'production',
  JWT_SECRET: 'a secret of more than 32 characters',
  ENCRYPTION_KEY: encryptionKey,
}

test('without variables the defaults apply', () => {
  expect(readEnv({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: resolve('./data'),
    RATE_LIMIT: true,
    REGISTRATIONS_PER_HOUR: 300,
    FIELDTEST_TEST_CLOCK: false,
    TRUST_PROXY: false,
    LOG_LEVEL: 'warn',
    production: false,
  })
})

test('standbys are a list of addresses, and need a primary', () => {
  const urls = 'postgres://a@one/fieldtest, postgres://a@two:5433/fieldtest'
  const { DATABASE_REPLICA_URLS } = readEnv({ DATABASE_URL: 'postgres://a@x/y', DATABASE_REPLICA_URLS: urls })
  expect(DATABASE_REPLICA_URLS).toEqual(['postgres://a@one/fieldtest', 'postgres://a@two:5433/fieldtest'])
  expect(readEnv({ DATABASE_REPLICA_URLS: '' }).DATABASE_REPLICA_URLS).toEqual([])
  expect(wrong({ DATABASE_REPLICA_URLS: urls })).toEqual(['DATABASE_REPLICA_URLS needs DATABASE_URL'])
  expect(wrong({ DATABASE_URL: 'postgres://a@x/y', DATABASE_REPLICA_URLS: 'postgres://a@x/y,b' })).toEqual([
    'DATABASE_REPLICA_URLS.1 must start with postgres:// or postgresql://',
  ])
})

test('a blank variable is an absent one', () => {
  const names = [
    'PORT',
    'HOST',
    'DATA_DIR',
    'DATABASE_URL',
    'PUBLIC_URL',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
    'JWT_SECRET',
    'ENCRYPTION_KEY',
    'ENCRYPTION_KEY_PREVIOUS',
    'BACKUP_TO',
    'BACKUP_KEY',
    'BACKUP_KEEP_DAYS',
  ]
  const switches = [
    'RATE_LIMIT',
    'REGISTRATIONS_PER_HOUR',
    'JWT_SECRET_PREVIOUS',
    'SECURITY_CONTACT',
    'FIELDTEST_TEST_CLOCK',
    'TRUST_PROXY',
    'SMTP_URL',
    'MAIL_FROM',
    'LOG_LEVEL',
    'NODE_ENV',
  ]
  expect(readEnv(Object.fromEntries([...names, ...switches].map(name => [name, ''])))).toEqual(readEnv({}))
})

describe('an invalid value is reported with what it must be', () => {
  test.each([
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PORT', '3000.5', 'must be a whole number from 0 to 65535'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PORT', ' ', 'must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'must be a whole number from 0 to 65535'],
    [
      'SECURITY_CONTACT',
      'me',
      'must be an address such as mailto:security@fieldtest.example or https://fieldtest.example/security',
    ],
    ['JWT_SECRET_PREVIOUS', 'short', 'must have at least 32 characters'],
    ['REGISTRATIONS_PER_HOUR', '0', 'must be a whole number from 1 to 999999'],
    ['REGISTRATIONS_PER_HOUR', '1.5', 'must be a whole number from 1 to 999999'],
    ['REGISTRATIONS_PER_HOUR', '1000000', 'must be a whole number from 1 to 999999'],
    ['DATABASE_URL', 'mysql://localhost/x', 'must start with postgres:// or postgresql://'],
    [
      'DATABASE_URL',
      'postgres://me:a#b@host/x',
      'must be an address such as postgres://name:password@host:5432/fieldtest, with %23 for a # in the password',
    ],
    ['DATABASE_URL', 'postgres://host/x?sslrootcert=/no/such.pem', 'names a file that cannot be read: /no/such.pem'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/x', 'must start with postgres:// or postgresql://'],
    ['PREPARED_STATEMENTS', 'no', 'must be on or off'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an address such as https://fieldtest.example'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
    ['METRICS_TOKEN', 'short', 'must be 16 to 200 visible ASCII characters'],
    [
      'POOL_SIZES',
      'reads=many',
      'must be sizes from 1 to 999 of reads, writes, sessions, jobs, queue, health, owner, such as reads=16,writes=20',
    ],
    ['PUBLIC_URL', 'fieldtest.example', 'must be an address such as https://fieldtest.example'],
    ['PUBLIC_URL', 'ftp://fieldtest.example', 'must be an address such as https://fieldtest.example'],
    ['PUBLIC_URL', 'https://a.example/b', 'must be an address without a path, such as https://fieldtest.example'],
    ['PUBLIC_URL', 'https://a.example?b', 'must be an address without a path, such as https://fieldtest.example'],
    ['PUBLIC_URL', 'https://me@a.example', 'must be an address without a path, such as https://fieldtest.example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://a.example/b?c', 'must be an address without ? and #'],
    ['HOST', '999.1.1.1', 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0'],
    ['HOST', '3000', 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0'],
    ['HOST', 'localhost:3000', 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0'],
    ['HOST', 'http://localhost', 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0'],
    ['NODE_ENV', 'prod', 'must be production, development or test'],
    ['MAIL_FROM', 'nonsense', 'must be an address, such as Fieldtest <hello@fieldtest.example>'],
    ['MAIL_FROM', 'Fieldtest <>', 'must be an address, such as Fieldtest <hello@fieldtest.example>'],
    ['MAIL_FROM', 'Fieldtest <hello@>', 'must be an address, such as Fieldtest <hello@fieldtest.example>'],
    ['MAIL_FROM', 'a@b.example, c@d.example', 'must be an address, such as Fieldtest <hello@fieldtest.example>'],
    ['SMTP_URL', 'smtp://', 'must be an address such as smtp://name:password@host:587'],
    ['SMTP_URL', 'smtp://host:99999', 'must be an address such as smtp://name:password@host:587'],
    ['STORAGE_URL', 'https://key:50%@host/bucket', 'must be file:///folder or https://KEY:SECRET@host/bucket?region=…'],
    ['BACKUP_TO', 's3://key:50%@host/bucket', 'must be a folder or s3://KEY:SECRET@host/bucket?region=…'],
    ['JWT_SECRET', 'short', 'must have at least 32 characters'],
    ['ENCRYPTION_KEY', 'short', 'must be 32 bytes in base64, such as `openssl rand -base64 32` prints'],
    ['RATE_LIMIT', 'no', 'must be on or off'],
    ['RATE_LIMIT', 'OFF', 'must be on or off'],
    ['FIELDTEST_TEST_CLOCK', 'true', 'must be 1 or 0'],
    ['TRUST_PROXY', 'yes', 'must be 1 or 0'],
    ['SMTP_URL', 'mail.example:25', 'must start with smtp:// or smtps://'],
    ['BACKUP_TO', 's3://bucket', 'must be a folder or s3://KEY:SECRET@host/bucket?region=…'],
    ['BACKUP_KEY', 'short', 'must be 32 bytes in base64, such as `openssl rand -base64 32` prints'],
    ['BACKUP_KEEP_DAYS', '0', 'must be a whole number of days from 1 to 9999'],
    ['LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug, trace or silent'],
  ])('%s=%j', (name, value, sentence) => {
    expect(wrong({ [name]: value })).toEqual([`${name} ${sentence}`])
  })

  test.each([
    ['HOST', ['0.0.0.0', '::', '::1', 'localhost', 'fieldtest-1.internal', 'my_host', 'fe80::1%eth0']],
    ['PUBLIC_URL', ['http://localhost:3000', 'https://fieldtest.example/', 'http://[::1]:3000']],
    ['MAIL_FROM', ['a@b.example', 'Fieldtest <a@b.example>', '"Fieldtest, Inc." <a@localhost>']],
    ['SMTP_URL', ['smtp://localhost', 'smtps://name%40x.example:pass%23word@mail.example:465?pool=true']],
    ['DATABASE_URL', ['postgres://me@/x?host=/run/postgresql', 'postgresql:///x', 'postgres://me:50%@host/x']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://127.0.0.1:4318', 'https://otel.example/in/']],
  ])('%s may also be written in other ways', (name, values) => {
    for (const value of values) expect([value, wrong({ [name]: value })]).toEqual([value, null])
  })

  test('the admin’s address and password', () => {
    const admin = { ADMIN_EMAIL: 'admin@example.test', ADMIN_PASSWORD: 'secret' }
    expect(wrong({ ...admin, ADMIN_EMAIL: 'admin' })).toEqual(['ADMIN_EMAIL must be an email address'])
    expect(wrong({ ...admin, ADMIN_PASSWORD: 'short' })).toEqual(['ADMIN_PASSWORD must have at least 6 characters'])
    expect(wrong({ ...admin, ADMIN_PASSWORD: 'x'.repeat(201) })).toEqual([
      'ADMIN_PASSWORD may have at most 200 characters',
    ])
  })

  test('all of them at once, one per line', () => {
    expect(wrong({ PORT: 'x', LOG_LEVEL: 'y', TRUST_PROXY: 'z' })?.map(line => line.split(' ')[0])).toEqual([
      'PORT',
      'TRUST_PROXY',
      'LOG_LEVEL',
    ])
  })

  test('without revealing a secret', () => {
    const secrets = {
      JWT_SECRET: 'hunter2',
      ADMIN_EMAIL: 'a@example.test',
      ADMIN_PASSWORD: 'pw',
      DATABASE_URL: 'x://u:topsecret@h',
      BACKUP_TO: 's3://key:topsecret@host',
    }
    expect(wrong(secrets)).toHaveLength(4)
    expect(wrong(secrets)?.join(' ')).not.toMatch(/hunter2|"pw"|topsecret/)
  })
})

describe('contradictory settings are refused', () => {
  test.each([
    [
      'RATE_LIMIT=off in production',
      { ...production, RATE_LIMIT: 'off' },
      'RATE_LIMIT=off is refused when NODE_ENV=production',
    ],
    [
      'the test clock in production',
      { ...production, FIELDTEST_TEST_CLOCK: '1' },
      'FIELDTEST_TEST_CLOCK is refused when NODE_ENV=production',
    ],
    [
      'production without a secret',
      { ...production, JWT_SECRET: '' },
      'JWT_SECRET is required when NODE_ENV=production',
    ],
    [
      'production without a key for secrets at rest',
      { ...production, ENCRYPTION_KEY: '' },
      'ENCRYPTION_KEY is required when NODE_ENV=production',
    ],
    [
      'a direct connection to nothing else',
      { DATABASE_DIRECT_URL: 'postgres://localhost/x' },
      'DATABASE_DIRECT_URL needs DATABASE_URL',
    ],
    [
      'an owner of tables of nothing else',
      { DATABASE_MIGRATION_URL: 'postgres://localhost/x' },
      'DATABASE_MIGRATION_URL needs DATABASE_URL',
    ],
    [
      'an old key without a new one',
      { ENCRYPTION_KEY_PREVIOUS: encryptionKey },
      'ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY',
    ],
    [
      'a previous JWT secret without the present one',
      { JWT_SECRET_PREVIOUS: 'x'.repeat(32) },
      'JWT_SECRET_PREVIOUS needs JWT_SECRET',
    ],
    ['backups without a key', { BACKUP_TO: '/backups' }, 'BACKUP_TO needs BACKUP_KEY'],
    [
      'an admin without a password',
      { ADMIN_EMAIL: 'a@example.test' },
      'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither',
    ],
    [
      'a password without an admin',
      { ADMIN_PASSWORD: 'secret' },
      'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither',
    ],
  ])('%s', (_name, source, sentence) => {
    expect(wrong(source)).toEqual([sentence])
  })

  test('what production requires is sufficient', () => {
    expect(wrong(production)).toBeNull()
    expect(wrong({ ...production, RATE_LIMIT: 'on', FIELDTEST_TEST_CLOCK: '0', TRUST_PROXY: '1' })).toBeNull()
  })
})

test('production logs refusals, and elsewhere the terminal stays quiet', () => {
  expect(readEnv(production).LOG_LEVEL).toBe('info')
  expect(readEnv({ ...production, LOG_LEVEL: 'warn' }).LOG_LEVEL).toBe('warn')
})

test('production accepts 20 registrations an hour from one network by default', () => {
  expect(readEnv(production).REGISTRATIONS_PER_HOUR).toBe(20)
  expect(readEnv({ ...production, REGISTRATIONS_PER_HOUR: '55' }).REGISTRATIONS_PER_HOUR).toBe(55)
})

test('the admin’s address is case-insensitive, as all addresses are', () => {
  expect(readEnv({ ADMIN_EMAIL: 'Admin@Example.TEST', ADMIN_PASSWORD: 'secret' }).ADMIN_EMAIL).toBe(
    'admin@example.test',
  )
})

test('Stripe needs both of its secrets, and the address to which people return', () => {
  const both = { STRIPE_SECRET_KEY: 'sk_test_1234', STRIPE_WEBHOOK_SECRET: 'whsec_1234' }
  expect(wrong(both)).toBeNull()
  expect(wrong({ STRIPE_SECRET_KEY: both.STRIPE_SECRET_KEY })).toEqual([
    'STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET',
  ])
  expect(wrong({ STRIPE_WEBHOOK_SECRET: both.STRIPE_WEBHOOK_SECRET })).toEqual([
    'STRIPE_WEBHOOK_SECRET needs STRIPE_SECRET_KEY',
  ])
  expect(wrong({ ...both, STRIPE_SECRET_KEY: 'pk_live_1234' })).toEqual([
    'STRIPE_SECRET_KEY must be a Stripe key, sk_… or rk_…',
  ])
  expect(wrong({ STRIPE_API_BASE: 'http://127.0.0.1:4000' })).toEqual(['STRIPE_API_BASE needs STRIPE_SECRET_KEY'])
  expect(wrong({ ...production, ...both })).toEqual(['STRIPE_SECRET_KEY needs PUBLIC_URL'])
})
