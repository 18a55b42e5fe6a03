/** A self-signed certificate for fieldtest.example. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withPrograms } from './packages.ts'

const run = promisify(execFile)

/** Paths of files; HAProxy reads `both`. */
export type Certificate = { certificate: string; key: string; both: string }

export const makeCertificate = async (folder: string): Promise<Certificate> => {
  const [certificate, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map(name => join(folder, name))
  const names = ['-subj', '/CN=fieldtest.example', '-addext', 'subjectAltName=DNS:fieldtest.example']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  await run('openssl', ['req', '-x509', ...kind, '-keyout', key!, '-out', certificate!, ...names], {
    env: withPrograms,
  })
  await writeFile(both!, `${await readFile(certificate!, 'utf8')}${await readFile(key!, 'utf8')}`)
  return { certificate: certificate!, key: key!, both: both! }
}
