/** Whether the page's memory grows while someone navigates back and forth. */
import type { Browser, CDPSession } from '@playwright/test'
import type { Platform } from '../../scripts/screens/platform.ts'
import { phoneOf, settled } from './phone.ts'

const round = ['/dashboard/campaigns', '/dashboard/my-tests', '/dashboard/balance', '/dashboard']

const go = (path: string) => `(() => {
  [...document.querySelectorAll('a[href="${path}"]')].find(one => one.checkVisibility()).click()
})()`

const usedMb = async (cdp: CDPSession): Promise<number> => {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

export const measureHeap = async (browser: Browser, platform: Platform, navigations: number): Promise<void> => {
  const { page, cdp } = await phoneOf(browser, platform, 'TESTER')
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.goto('/dashboard')
  await page.waitForFunction(settled)
  const heaps: number[] = []
  for (let at = 0; at < navigations; at++) {
    const path = round[at % round.length]!
    await page.evaluate(go(path))
    await page.waitForFunction(`location.pathname === '${path}' && ${settled}`)
    if ((at + 1) % (navigations / 4) === 0) heaps.push(await usedMb(cdp))
  }
  await page.context().close()
  console.log(
    `\nHeap after each quarter of ${navigations} navigations: ${heaps.map(mb => mb.toFixed(1)).join(', ')} MB`,
  )
}
