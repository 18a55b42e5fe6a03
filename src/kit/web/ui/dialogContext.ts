import { createContext, useContext } from 'react'

const InDialog = createContext(false)

export const InDialogProvider = InDialog.Provider

/** Whether the component stands in a dialog: a form's buttons then follow the order of all dialogs. */
export const useInDialog = () => useContext(InDialog)
