import type { Handlers } from '../../kit/endpoint.ts'
import type { attachmentApi } from '../contract.ts'
import * as attachments from './attachments.ts'

export const attachmentHandlers: Handlers<typeof attachmentApi> = {
  upload: ({ user, caller, upload }) => attachments.upload(user, caller, upload),
  file: ({ user, params }) => attachments.file(user, params.id),
  preview: ({ user, params }) => attachments.preview(user, params.id),
  remove: ({ user, params }) => attachments.remove(user, params.id),
}
