/** Moves between screens as links do: the document stays, with the scripts that a test has loaded into it. */
import { expect, type Page } from '@playwright/test'

const push = (page: Page, path: string) =>
  page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Passes through the not-found page, so that the old screen is not mistaken for the new one. */
export const goWithin = async (page: Page, path: string): Promise<void> => {
  await push(page, '/between/two/screens')
  const between = page.getByRole('heading', { name: 'Page Not Found' })
  await expect(between).toBeVisible()
  await push(page, path)
  await expect(between).toBeHidden()
}
