import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showLandingPage, stubSight, theOne } from '../../../testing/web/landingPage.ts'
import { refuseLocalStorage } from '../../../testing/localStorage.ts'

/** The script runs once per page. */
const open = async () => {
  vi.resetModules()
  await import('./front.ts')
}
const role = () => theOne<HTMLInputElement>('[name=role]:checked').value
const welcomes = () => [...document.querySelectorAll<HTMLElement>('[data-signed-in]')].map(({ hidden }) => hidden)

beforeEach(() => {
  stubSight()
  localStorage.clear()
  location.hash = ''
  showLandingPage()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a signed-in user gets a link to the dashboard', async () => {
  localStorage.setItem('accessToken', 'access-1')
  await open()
  expect(welcomes()).toEqual([false, false, false])
})

test('remains of an ended session show no link to the dashboard', async () => {
  localStorage.setItem('refreshToken', 'refresh-1')
  await open()
  expect(welcomes()).toEqual([true, true, true])
})

test('a browser that refuses storage gets the page of a signed-out visitor', async () => {
  refuseLocalStorage()
  await open()
  expect(welcomes()).toEqual([true, true, true])
  expect(theOne<HTMLFormElement>('#waitlist-form').noValidate).toBe(true)
})

test('a link for one role chooses that role in the form', async () => {
  await open()
  expect(role()).toBe('developer')
  theOne('[href="#waitlist-tester"]').click()
  expect(role()).toBe('tester')
  theOne('[href="#waitlist-developer"]').click()
  expect(role()).toBe('developer')
})

test('a link for one role that was followed before the script had run still chooses that role', async () => {
  location.hash = theOne<HTMLAnchorElement>('[href="#waitlist-tester"]').hash
  await open()
  expect(role()).toBe('tester')
})

test.each(['developer', 'tester'])('the link for a %s leads to the waitlist without a script', wanted => {
  expect(theOne(`#waitlist #waitlist-${wanted}`).className).toBe('absolute top-0')
})

test('a link whose role the form does not have changes nothing', async () => {
  theOne('[name=role][value=tester]').remove()
  await open()
  theOne('[href="#waitlist-tester"]').click()
  expect(role()).toBe('developer')
})

test('a plan is carried by its link, so that choosing it needs no script', () => {
  const of = (plan: string) => screen.getByRole('link', { name: `Choose ${plan}` }).getAttribute('href')
  expect([of('Growth'), of('Pro')]).toEqual([
    '/register?role=developer&testers=25&payCents=344',
    '/register?role=developer&testers=50&payCents=346',
  ])
})

test('the menu closes when a section is chosen, and not when the space beside the links is pressed', async () => {
  const menu = theOne('#sections')
  const hide = vi.fn<() => void>()
  menu.hidePopover = hide
  await open()
  theOne('ul', menu).click()
  expect(hide).not.toHaveBeenCalled()
  theOne('a[href="#pricing"]', menu).click()
  expect(hide).toHaveBeenCalledOnce()
})

test('the form and the calculator are enhanced', async () => {
  await open()
  expect(theOne<HTMLFormElement>('#waitlist-form').noValidate).toBe(true)
  expect(theOne<HTMLInputElement>('#calculator input').readOnly).toBe(false)
})

test('a page without any of these still opens', async () => {
  document.body.innerHTML = ''
  await expect(open()).resolves.toBeUndefined()
})
