import { createContext, useContext } from 'react'

const InDialog = createContext(false)

export const InDialogProvider = InDialog.Provider

/** Whether the component is in a dialog: a form's buttons then have the order that all dialogs use. */
export const useInDialog = () => useContext(InDialog)
