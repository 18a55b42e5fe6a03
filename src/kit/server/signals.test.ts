/** Signals sent at almost the same time are merged, carry nothing, and are dropped while there is no connection. */
import { afterEach, expect, test } from 'vitest'
import { onSignal, receive, signal, signalChannels, useSender } from './signals.ts'

afterEach(() => useSender(undefined))

/** `once` resolves at the next sending. */
const sender = () => {
  const sent: string[] = []
  let heard = () => {}
  useSender(async channel => {
    sent.push(channel)
    heard()
  })
  const once = () =>
    new Promise<void>(resolve => {
      heard = resolve
    })
  return { sent, once }
}

test('a thousand signals at once are sent as one, and a later one is sent again', async () => {
  const { sent, once } = sender()
  let next = once()
  for (let n = 0; n < 1000; n++) signal('news')
  expect(sent).toEqual([])
  await next
  expect(sent).toEqual(['news'])
  next = once()
  signal('news')
  await next
  expect(sent).toEqual(['news', 'news'])
})

test('nothing is sent while there is no connection, and signals from then are not sent later', async () => {
  useSender(undefined)
  signal('lost')
  const { sent, once } = sender()
  const next = once()
  signal('news')
  await next
  expect(sent).toEqual(['news'])
})

test('a failure to send reaches no caller, and the next signal is sent', async () => {
  const tried: string[] = []
  let heard = () => {}
  useSender(channel => {
    tried.push(channel)
    heard()
    return Promise.reject(new Error('the connection is gone'))
  })
  for (let n = 0; n < 2; n++) {
    const next = new Promise<void>(resolve => {
      heard = resolve
    })
    signal('news')
    await next
  }
  expect(tried).toEqual(['news', 'news'])
})

test('a listener that was removed is called no more, and one that took its place stays', () => {
  const calls: string[] = []
  const removeFirst = onSignal('theirs', () => calls.push('first'))
  const removeSecond = onSignal('theirs', () => calls.push('second'))
  removeFirst()
  receive('theirs')
  expect([calls, signalChannels()]).toEqual([['second'], expect.arrayContaining(['theirs'])])
  removeSecond()
  receive('theirs')
  expect([calls, signalChannels().includes('theirs')]).toEqual([['second'], false])
})

test('a listener is called for its channel and for no other', () => {
  let calls = 0
  onSignal('mine', () => calls++)
  receive('mine')
  receive('another')
  expect(calls).toBe(1)
})
