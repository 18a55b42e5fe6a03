import { expect, type Page } from '@playwright/test'

/** The screen has its heading, and nothing in it is on its way any more. */
export const expectLoaded = async (page: Page, what: string): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }), what).toBeVisible()
  await expect(
    page.locator('.animate-pulse:visible, .animate-spin:visible'),
    `${what}: what is on its way`,
  ).toHaveCount(0)
}
