import { type ChosenFigures, figuresKey } from '../../../campaigns/chosenFigures.ts'

/** Null forgets what was chosen before. */
export const keepFigures = (figures: ChosenFigures | null): void => {
  try {
    localStorage.setItem(figuresKey, JSON.stringify(figures))
  } catch {
    // The form then starts blank.
  }
}
