/** How the walk through the spec lists what a screen has to say, and where. */
import type { Locator, Page } from '@playwright/test'
import type { Ids, Viewer } from '../../scripts/screens/routes.ts'

/** An exact text, a part of one (RegExp), or an element with that role or of that kind and name. */
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
  /** The section of the spec. */
  spec: string
  as: Viewer | 'NEW_DEVELOPER' | 'NEW_TESTER'
  path: string | ((ids: Ids) => string)
  /** Calls of the screen that are refused, that are never answered, or that get this answer. */
  refused?: string
  held?: string
  answered?: Record<string, unknown>
  /** For texts outside of the screen: in the navigation or in a menu. */
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
