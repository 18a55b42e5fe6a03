/** What a visitor chose on the front page. It is kept in their browser until they create a campaign. */
import type { Cents } from '../kit/money.ts'

export type ChosenFigures = { testersRequired: number; payPerTesterCents: Cents }

/** In local storage; public/shell.js writes it. */
export const figuresKey = 'chosenFigures'
