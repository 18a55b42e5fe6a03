/** The product with the demo's data, and browsers signed in to it: for screenshots and for bench/web.ts. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, BrowserContext } from '@playwright/test'
import type { Session } from '../../src/accounts/contract.ts'
import { admin, developers, testers } from '../demo/people.ts'
import { holdPayouts, refuseRefunds } from './held.ts'
import { enterClosedTest, idsOfDemo, signIn, type Viewers } from './people.ts'
import type { Ids } from './routes.ts'
import { startServer } from './server.ts'

export type Platform = { address: string; people: Viewers; ids: Ids | null }

/** The password of everybody in the demo. */
export const password = 'fieldtest-demo'

/** The browser of a signed-in person, or of a visitor. */
export const contextFor = (browser: Browser, address: string, session: Session | null): Promise<BrowserContext> => {
  const items = session
    ? { accessToken: session.accessToken, refreshToken: session.refreshToken, user: JSON.stringify(session.user) }
    : {}
  const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }))
  return browser.newContext({
    baseURL: address,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    // The page evaluates the conditions that are waited for.
    bypassCSP: true,
    storageState: { cookies: [], origins: [{ origin: new URL(address).origin, localStorage }] },
  })
}

/** Signs in anew, because a session that a browser has refreshed cannot be used to start another browser. */
export const peopleOfDemo = async (address: string): Promise<Viewers> => ({
  DEVELOPER: await signIn(address, developers[0]!.email, password),
  TESTER: await signIn(address, testers[0]!.email, password),
  ADMIN: await signIn(address, admin.email, password),
})

/** Fills the database with the demo and serves it. */
export const demoPlatform = async (dataDir: string, url: string) => {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir }
  execFileSync(process.execPath, [join(import.meta.dirname, '../demo.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const server = await startServer(dataDir, url, {})
  const people = await peopleOfDemo(server.address)
  await enterClosedTest(server.address, people.TESTER, await signIn(server.address, developers[2]!.email, password))
  const place = { address: server.address, url, admin: people.ADMIN, password }
  await holdPayouts(place)
  await refuseRefunds({ ...place, owner: developers[3]!.email })
  return { ...server, people, ids: await idsOfDemo(server.address, people) }
}
