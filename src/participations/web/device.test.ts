import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { detectDevice, rememberDevice } from './device.ts'

const nothing = { platform: undefined, model: '', osVersion: '', manufacturer: '' }
const pixel = { platform: 'android' as const, model: 'Pixel 5', osVersion: '12', manufacturer: 'Google' }

type Asked = (hints: string[]) => Promise<{ model?: string; platformVersion?: string }>

const onBrowser = (userAgent: string, platform?: string, answer: Asked = async () => ({})) => {
  const asked = vi.fn<Asked>(answer)
  const userAgentData = platform === undefined ? undefined : { platform, getHighEntropyValues: asked }
  vi.stubGlobal('navigator', { userAgent, userAgentData })
  return asked
}
const onAndroid = (facts: { model?: string; platformVersion?: string }) =>
  onBrowser('Mozilla/5.0 (Linux; Android 10; K)', 'Android', async () => facts)
const onDesktop = () => onBrowser('Mozilla/5.0 (X11; Linux x86_64)', 'Linux')

beforeEach(() => {
  stubLocalStorage()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test.each(['iPhone', 'iPad', 'iPod'])('an %s is known to be from Apple, and no more', async name => {
  onBrowser(`Mozilla/5.0 (${name}; CPU OS 18_0 like Mac OS X)`)
  expect(await detectDevice()).toEqual({ ...nothing, platform: 'ios', manufacturer: 'Apple' })
})

test.each([
  ['14.0.0', '14'],
  ['8.1.0', '8.1'],
  ['10.0.1', '10.0.1'],
])('an Android phone says its model, and of version %s that it is %s', async (platformVersion, osVersion) => {
  const asked = onAndroid({ model: 'Pixel 8', platformVersion })
  expect(await detectDevice()).toEqual({ platform: 'android', model: 'Pixel 8', osVersion, manufacturer: '' })
  expect(asked.mock.calls).toEqual([[['model', 'platformVersion']]])
})

test('an Android phone that keeps its model to itself is still one', async () => {
  onAndroid({})
  expect(await detectDevice()).toEqual({ ...nothing, platform: 'android' })
})

test('other devices are not asked, and unknown', async () => {
  const asked = onDesktop()
  expect(await detectDevice()).toEqual(nothing)
  expect(asked).not.toHaveBeenCalled()
  onBrowser('Mozilla/5.0 (X11; Linux x86_64)')
  expect(await detectDevice()).toEqual(nothing)
})

test('a browser that refuses to answer knows no device', async () => {
  onBrowser('Mozilla/5.0 (Linux; Android 10; K)', 'Android', () => Promise.reject(new Error('Not allowed')))
  expect(await detectDevice()).toEqual(nothing)
})

test('the device that was joined with last is suggested where the browser knows none', async () => {
  onDesktop()
  rememberDevice(pixel)
  expect(await detectDevice()).toEqual(pixel)
  rememberDevice({ ...nothing, platform: 'ios', model: 'iPhone 15' })
  expect(await detectDevice()).toEqual({ ...nothing, platform: 'ios', model: 'iPhone 15' })
})

test('a platform that there is no longer is forgotten, the rest is not', async () => {
  onDesktop()
  localStorage.setItem('testDevice', JSON.stringify({ ...pixel, platform: 'symbian' }))
  expect(await detectDevice()).toEqual({ ...pixel, platform: undefined })
})

test('what the browser knows wins, and only the same model is by the same maker', async () => {
  rememberDevice(pixel)
  onAndroid({ model: 'Pixel 5', platformVersion: '14.0.0' })
  expect(await detectDevice()).toEqual({ ...pixel, osVersion: '14' })
  onAndroid({ model: 'Galaxy S24', platformVersion: '14.0.0' })
  expect(await detectDevice()).toEqual({ ...pixel, model: 'Galaxy S24', osVersion: '14', manufacturer: '' })
})
