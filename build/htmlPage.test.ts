import { expect, test } from 'vitest'
import { findOnce, htmlPagePlugin, replaceOnce } from './htmlPage.ts'
import { buildPages, pageWith } from './testing.ts'

test('text that is missing or occurs twice is an error', () => {
  expect(replaceOnce('<p>one</p>', 'one', '$& $1')).toBe('<p>$& $1</p>')
  expect(() => replaceOnce('<p>one</p>', 'two', '')).toThrow('the page has two 0 times')
  expect(() => replaceOnce('<p>one one</p>', 'one', '')).toThrow('the page has one 2 times')
})

test('a tag that is missing or occurs twice is an error', () => {
  const pattern = /<img src="([^"]+)">/
  expect(findOnce('<p><img src="a.png"></p>', pattern)).toEqual({ tag: '<img src="a.png">', address: 'a.png' })
  expect(() => findOnce('<p></p>', pattern)).toThrow('0 tags')
  expect(() => findOnce('<img src="a.png"><img src="b.png">', pattern)).toThrow('2 tags')
})

const greeting = (page: string) =>
  htmlPagePlugin({ name: 'greeting', page, order: 'pre', change: html => replaceOnce(html, 'Hello', 'Good day') })

test('only the named page is changed', async () => {
  const pages = { 'index.html': pageWith('Hello'), 'inner/index.html': pageWith('Hello') }
  const { read } = await buildPages(pages, [greeting('inner/index.html')])
  expect(await read('index.html')).toContain('Hello')
  expect(await read('inner/index.html')).toContain('Good day')
})

test('a build without the named page fails', async () => {
  await expect(buildPages({ 'index.html': pageWith('Hello') }, [greeting('home.html')])).rejects.toThrow(
    'home.html is not a page of this build',
  )
})

test('an error message names the plugin and the page', async () => {
  await expect(buildPages({ 'index.html': pageWith('Goodbye') }, [greeting('index.html')])).rejects.toThrow(
    'greeting, index.html: the page has Hello 0 times',
  )
})
