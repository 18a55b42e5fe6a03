/** Lighthouse's scores for each screen: mobile preset, median of the runs. */
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import type { Platform } from '../../scripts/screens/platform.ts'
import { screensOf, type Viewer } from '../../scripts/screens/routes.ts'
import { median } from '../place.ts'

/** The version that produced the figures in docs/performance.md. */
const lighthouse = 'lighthouse@13.5.0'
const port = 9333

/** `speed` is Lighthouse's benchmark index of this machine while it measured. */
type Score = Record<'performance' | 'accessibility' | 'paint' | 'blocking' | 'shift' | 'speed', number>
/** `slowdown`: how many times slower than this machine the phone's processor is taken to be. */
type Options = { executablePath: string; runs: number; only: RegExp; slowdown: number }

/** By the calibration of Chrome's developer tools (front_end/panels/mobile_throttling/CalibrationController.ts). */
const speedOfPhones = 'a mid-tier phone has 1000, a low-tier one 264'

const run = promisify(execFile)

const scoreOf = async (url: string, slowdown: number): Promise<Score> => {
  const file = join(tmpdir(), `fieldtest-score-${process.pid}.json`)
  const flags = [
    '--quiet',
    // With an open stream of events the network would never become idle.
    '--blocked-url-patterns=*/users/me/events*',
    '--output=json',
    `--output-path=${file}`,
    `--port=${port}`,
    '--disable-storage-reset',
    `--throttling.cpuSlowdownMultiplier=${slowdown}`,
  ]
  const only = '--only-categories=performance,accessibility'
  await run('npx', ['--yes', lighthouse, url, ...flags, only], { maxBuffer: 1e8 })
  const { categories, audits, environment } = JSON.parse(await readFile(file, 'utf8'))
  await rm(file)
  const value = (name: string): number => audits[name].numericValue
  return {
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    paint: value('largest-contentful-paint') / 1000,
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    speed: environment.benchmarkIndex,
  }
}

/** A browser that Lighthouse reaches by its port, with this viewer signed in. */
const browserOf = async ({ address, people }: Platform, viewer: Viewer, executablePath: string) => {
  const folder = join(tmpdir(), `fieldtest-score-${process.pid}-${viewer}`)
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  })
  const page = await context.newPage()
  await page.goto(`${address}/offline.html`)
  if (viewer !== 'VISITOR') {
    const { accessToken, refreshToken, user } = people[viewer]
    const items = { accessToken, refreshToken, user: JSON.stringify(user) }
    await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(items)})`)
  }
  await page.close()
  return {
    close: async () => {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

export const measureScores = async (platform: Platform, options: Options): Promise<void> => {
  const { executablePath, runs, only, slowdown } = options
  const speeds: number[] = []
  console.log(
    '\n| screen | performance | accessibility | largest paint, s | blocking, ms | shift |\n|---|---|---|---|---|---|',
  )
  for (const viewer of ['VISITOR', 'DEVELOPER', 'TESTER', 'ADMIN'] as const) {
    const screens = Object.entries(screensOf(viewer, platform.ids!))
    // Lighthouse refuses pages that respond with 404, as the demo does for screens whose objects it lacks.
    const isThere = ([name, path]: [string, string]) => name !== 'not-found' && !(path !== '/' && path.endsWith('/'))
    const wanted = screens.filter(screen => isThere(screen) && only.test(`${viewer.toLowerCase()}-${screen[0]}`))
    if (wanted.length === 0) continue
    const browser = await browserOf(platform, viewer, executablePath)
    try {
      for (const [name, path] of wanted) {
        const scores: Score[] = []
        for (let at = 0; at < runs; at++) scores.push(await scoreOf(platform.address + path, slowdown))
        speeds.push(...scores.map(({ speed }) => speed))
        const of = (key: keyof Score) => median(scores.map(score => score[key]))
        const cells = [of('performance').toFixed(0), of('accessibility').toFixed(0), of('paint').toFixed(2)]
        console.log(
          `| ${viewer.toLowerCase()} ${name} | ${cells.join(' | ')} | ${of('blocking').toFixed(0)} | ${of('shift').toFixed(3)} |`,
        )
      }
    } finally {
      await browser.close()
    }
  }
  if (speeds.length > 0)
    console.log(
      `\nBenchmark index: ${median(speeds).toFixed(0)} (${speedOfPhones}). Processor taken to be ${slowdown} × slower.`,
    )
}
