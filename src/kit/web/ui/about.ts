import { createContext } from 'react'

/**
 * The id of the heading that says what a card is about. In a list of cards it describes their buttons, which have the same names.
 * Null in a dialog, which says that itself.
 */
export const About = createContext<string | null>(null)
