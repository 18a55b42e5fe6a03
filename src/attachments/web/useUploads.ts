/** The files of one draft: sent one after the other, retried when the network is back, and kept until the draft is sent. */
import { useEffect, useEffectEvent, useState } from 'react'
import { clock } from '../../kit/clock.ts'
import { isRefusal, messageOf } from '../../kit/web/apiError.ts'
import { randomId } from '../../kit/web/randomId.ts'
import { session } from '../../kit/web/session.ts'
import type { Attachment } from '../contract.ts'
import { isImage, looseHours, maxImageBytes, maxImageText, maxVideoBytes, maxVideoText } from '../terms.ts'
import { api, sendFile } from './calls.ts'
import { dropFile, keepFile, keepSent, keptFiles, type KeptFile } from './keptFiles.ts'

export type Upload = {
  key: string
  name: string
  /** Null for a file that was attached before. */
  file: Blob | null
  /** When the file was picked, in milliseconds; null for one that was attached before. */
  addedAt: number | null
  attachment: Attachment | null
  /** When the file arrived, in milliseconds; null until then, and for one that was attached before. */
  sentAt: number | null
  /** From 0 to 1 while it is being sent. */
  progress: number | null
  /** Why it was not sent. */
  problem: string | null
  /** Sending it again would not help. */
  refused: boolean
}

export type Uploads = {
  items: readonly Upload[]
  /** The ids of the files that have arrived, in their order. */
  ids: string[]
  /** True if some files have not arrived yet. */
  pending: boolean
  add: (files: readonly File[]) => void
  remove: (key: string) => void
  retry: (key: string) => void
  /** Called when the form was sent with these files and stays open, for example with files that were added meanwhile. */
  release: (ids: readonly string[]) => void
}

/** Checked before sending, so that nobody waits for a refusal. */
const problemOf = (file: Blob): string | null => {
  if (file.size === 0) return 'This file is empty.'
  if (isImage(file.type) && file.size > maxImageBytes) return `This image is too large: at most ${maxImageText}.`
  if (file.size > maxVideoBytes) return `This video is too large: at most ${maxVideoText}.`
  return null
}

const ofAttachment = (attachment: Attachment): Upload => ({
  key: attachment.id,
  name: isImage(attachment.type) ? 'Picture' : 'Video',
  file: null,
  addedAt: null,
  attachment,
  sentAt: null,
  progress: null,
  problem: null,
  refused: false,
})

/**
 * The server deletes unattached files. We stop counting on them an hour earlier, so that they still exist when the form is sent.
 */
const believedMs = (looseHours - 1) * 3_600_000
const isGone = ({ sentAt }: Upload) => sentAt !== null && clock.nowMs() - sentAt >= believedMs
/** Marks the file to be sent again, from the copy kept here. */
const unsent = (item: Upload): Upload => ({ ...item, attachment: null, sentAt: null })

const ofKept = ({ key, name, file, addedAt, attachment, sentAt = addedAt }: KeptFile): Upload => {
  const problem = attachment ? null : problemOf(file)
  const item = { key, name, file, addedAt, attachment, progress: null, problem, refused: problem !== null }
  const upload = { ...item, sentAt: attachment && sentAt }
  return isGone(upload) ? unsent(upload) : upload
}

/** `draft` names the draft; `before` are the files that were attached already. */
export const useUploads = (draft: string, before: readonly Attachment[] = []): Uploads => {
  const place = `${session.user()?.id}:${draft}`
  const [items, setItems] = useState<readonly Upload[]>(() => before.map(ofAttachment))
  const change = (key: string, what: Partial<Upload>) =>
    setItems(all => all.map(item => (item.key === key ? { ...item, ...what } : item)))

  useEffect(() => {
    let gone = false
    void keptFiles(place).then(kept => {
      if (!gone) setItems(all => [...all, ...kept.filter(({ key }) => !all.some(item => item.key === key)).map(ofKept)])
    })
    return () => {
      gone = true
    }
  }, [place])

  const next = items.find(item => !item.attachment && item.problem === null)
  const arrived = useEffectEvent((key: string, attachment: Attachment) => {
    const sentAt = clock.nowMs()
    change(key, { attachment, sentAt, progress: null })
    const { file = null, addedAt = null, name = '' } = items.find(each => each.key === key) ?? {}
    if (file && addedAt !== null) void keepSent({ key, place, addedAt, name, attachment, sentAt })
  })
  const failed = useEffectEvent((key: string, error: unknown) => {
    const lost = !isRefusal(error)
    const problem =
      lost && !navigator.onLine
        ? 'No connection. We will upload it when you are back online.'
        : messageOf(error, 'Upload failed.')
    change(key, { problem, refused: !lost && !mayPass(error.code), progress: null })
  })
  const progressed = useEffectEvent((key: string, progress: number) => change(key, { progress }))
  const nextKey = next?.key
  const nextFile = next?.file
  useEffect(() => {
    if (nextKey === undefined || !nextFile) return
    const leaving = new AbortController()
    const onProgress = (share: number) => progressed(nextKey, share)
    sendFile(nextFile, { onProgress, signal: leaving.signal }).then(
      attachment => leaving.signal.aborted || arrived(nextKey, attachment),
      (error: unknown) => leaving.signal.aborted || failed(nextKey, error),
    )
    return () => leaving.abort()
  }, [nextKey, nextFile])

  const retryAll = useEffectEvent(() =>
    setItems(all => all.map(item => (item.refused ? item : { ...item, problem: null }))),
  )
  useEffect(() => {
    const online = () => retryAll()
    window.addEventListener('online', online)
    return () => window.removeEventListener('online', online)
  }, [])

  // A page may stay open for days, and a single long timer would stop while the machine sleeps.
  useEffect(() => {
    const timer = setInterval(
      () => setItems(all => (all.some(isGone) ? all.map(item => (isGone(item) ? unsent(item) : item)) : all)),
      60_000,
    )
    return () => clearInterval(timer)
  }, [])

  return {
    items,
    ids: items.flatMap(({ attachment }) => attachment?.id ?? []),
    pending: items.some(({ attachment }) => !attachment),
    add: files => {
      const kept = files.map((file, index): KeptFile => {
        const { name } = file
        return { key: randomId(), place, addedAt: clock.nowMs() + index, name, file, attachment: null }
      })
      for (const file of kept) void keepFile(file)
      setItems(all => [...all, ...kept.map(ofKept)])
    },
    remove: key => {
      const item = items.find(each => each.key === key)
      setItems(all => all.filter(each => each.key !== key))
      void dropFile(key)
      // A file that is attached to an earlier proof is detached by the next proof.
      if (item?.file && item.attachment) void api.remove({ params: { id: item.attachment.id } }).catch(() => undefined)
    },
    retry: key => change(key, { problem: null }),
    release: ids => {
      const isSent = ({ attachment }: Upload) => attachment !== null && ids.includes(attachment.id)
      for (const { key } of items.filter(isSent)) void dropFile(key)
      setItems(all => all.filter(item => !isSent(item)))
    },
  }
}

/** Refusals that a later try may avoid. */
const mayPass = (code: string) =>
  ['LIMIT_REACHED', 'TOO_MANY_REQUESTS', 'UNAUTHENTICATED', 'REQUEST_TIMEOUT'].includes(code)
