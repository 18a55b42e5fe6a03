/** What other slices may draw. Everything is loaded when it is first shown. */
import { lazy } from 'react'

export const AttachmentList = lazy(async () => ({ default: (await import('./AttachmentList.tsx')).AttachmentList }))
export { FilesInput } from './FilesInput.tsx'
export { dropFiles, dropOtherFiles } from './draft.ts'
export { useUploads } from './useUploads.ts'
