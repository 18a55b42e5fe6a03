/** What other slices may draw. Everything is loaded when it is first shown. */
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'

export const AttachmentList = laterPart(
  async () => (await import('./AttachmentList.tsx')).AttachmentList,
  <Skeleton className="h-20 w-44 max-w-full" />,
)
export { FilesInput } from './FilesInput.tsx'
export { dropFiles, dropOtherFiles } from './draft.ts'
export { useUploads } from './useUploads.ts'
