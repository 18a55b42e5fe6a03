/** How the walk over the spec writes down what a screen has to say, where one has to stand to read it. */
import type { Locator, Page } from '@playwright/test'
import type { Ids, Viewer } from '../../scripts/screens/routes.ts'

/** A text by itself, a part of one (RegExp), or something of that role or kind with that name. */
export type Said =
  | string
  | RegExp
  | { button: string }
  | { link: string | RegExp }
  | { field: string }
  | { placeholder: string }
  | { option: string }
  | { heading: string | RegExp }
  | { radio: string }

export type Stand = {
  /** Where the spec says it. */
  spec: string
  as: Viewer | 'NEW_DEVELOPER' | 'NEW_TESTER'
  path: string | ((ids: Ids) => string)
  /** Calls of the screen that are refused, are never answered, or answer this. */
  refused?: string
  held?: string
  answered?: Record<string, unknown>
  /** Said elsewhere than in the screen itself: in the navigation, in a menu. */
  within?: 'main' | 'navigation' | 'page'
  says: Said[]
}

export const locate = (part: Locator | Page, said: Said): Locator => {
  if (typeof said === 'string') return part.getByText(said, { exact: true })
  if (said instanceof RegExp) return part.getByText(said)
  if ('button' in said) return part.getByRole('button', { name: said.button, exact: true })
  if ('link' in said) return part.getByRole('link', { name: said.link, exact: true })
  if ('field' in said) return part.getByLabel(said.field, { exact: true })
  if ('placeholder' in said) return part.getByPlaceholder(said.placeholder, { exact: true })
  if ('option' in said) return part.getByRole('option', { name: said.option, exact: true, includeHidden: true })
  if ('radio' in said) return part.getByRole('radio', { name: said.radio, exact: true })
  return part.getByRole('heading', { name: said.heading, exact: true })
}
