const all = ['attachments'] as const

export const attachmentKeys = {
  all,
  preview: (id: string) => [...all, 'preview', id],
  file: (id: string) => [...all, 'file', id],
}
