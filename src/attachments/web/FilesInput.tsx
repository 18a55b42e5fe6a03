import { Camera, ImagePlus, RotateCw, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Progress } from '../../kit/web/ui/Values.tsx'
import { Thumb } from './Thumb.tsx'
import type { Upload, Uploads } from './useUploads.ts'

type Props = {
  uploads: Uploads
  label: string
  hint?: string
  /** How many files are allowed. */
  most: number
  /** Whether videos are accepted, besides pictures. */
  videos?: boolean
  /** Whether to offer the camera; not for screenshots. */
  camera?: boolean
}

const images = 'image/png,image/jpeg,image/webp'

/** Picks several files at once from the camera or the gallery, and shows each one's progress, with a retry if it failed. */
export const FilesInput = ({ uploads, label, hint, most, videos = false, camera = true }: Props) => {
  const { items, add } = uploads
  const left = most - items.length
  const whole = useRef<HTMLFieldSetElement>(null)
  const hintId = useId()
  const [picked, setPicked] = useState(0)
  const change = (work: () => void) => {
    // The change may remove the button that was pressed, and the one that should get the focus may be new.
    flushSync(work)
    // The last button is the picker or, at the limit, the newest file's Remove button; the camera's may be hidden.
    if (document.activeElement === document.body)
      Array.from(whole.current?.querySelectorAll('button') ?? [])
        .at(-1)
        ?.focus()
  }
  const take = (files: FileList | null) => {
    const all = Array.from(files ?? [])
    change(() => {
      setPicked(all.length > left ? all.length : 0)
      add(all.slice(0, Math.max(0, left)))
    })
  }
  const remove = (key: string) =>
    change(() => {
      setPicked(0)
      uploads.remove(key)
    })
  return (
    <fieldset ref={whole} className="grid gap-2" aria-describedby={hint && hintId}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      {items.length > 0 && (
        <ul className="grid gap-2">
          {items.map(item => (
            <Row key={item.key} of={item} onRemove={() => remove(item.key)} onRetry={() => uploads.retry(item.key)} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {left > 0 && (
          <>
            {camera && <Picker label="Take a photo" camera onPick={take} />}
            <Picker
              label={videos ? 'Choose pictures or a video' : 'Choose a picture'}
              accept={videos ? `${images},video/mp4` : images}
              several={left > 1}
              onPick={take}
            />
          </>
        )}
        <span role="status" className="text-xs">
          {picked > 0 && `Only some of the ${picked} files were added. You can add up to ${most} here.`}
        </span>
      </div>
      {hint && (
        <p id={hintId} className="text-xs text-muted-foreground">
          {hint}
        </p>
      )}
    </fieldset>
  )
}

type PickerProps = {
  label: string
  accept?: string
  camera?: boolean
  several?: boolean
  onPick: (files: FileList | null) => void
}

/** A button, because a file input cannot be styled. The camera is offered only on touch screens. */
const Picker = ({ label, accept = images, camera = false, several = false, onPick }: PickerProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <span className={camera ? 'hidden pointer-coarse:block' : undefined}>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={several}
        capture={camera ? 'environment' : undefined}
        aria-label={label}
        // Screen readers would find it beside the button of the same name.
        hidden
        onChange={({ target }) => {
          onPick(target.files)
          // Lets the same file be picked again after it was removed.
          target.value = ''
        }}
      />
      <Button variant="outline" size="sm" onClick={() => input.current?.click()}>
        {camera ? <Camera aria-hidden /> : <ImagePlus aria-hidden />} {label}
      </Button>
    </span>
  )
}

const Row = ({ of: item, onRemove, onRetry }: { of: Upload; onRemove: () => void; onRetry: () => void }) => (
  <li className="flex items-center gap-3 rounded-md border p-2">
    <Thumb file={item.file} attachment={item.attachment} />
    <div className="grid min-w-0 flex-1 gap-1">
      <span className="truncate">{item.name}</span>
      <State of={item} />
    </div>
    {item.problem !== null && !item.refused && (
      <Button variant="ghost" size="icon" aria-label={`Upload ${item.name} again`} onClick={onRetry}>
        <RotateCw aria-hidden />
      </Button>
    )}
    <Button variant="ghost" size="icon" aria-label={`Remove ${item.name}`} onClick={onRemove}>
      <X aria-hidden />
    </Button>
  </li>
)

/** Null while the file is being sent, because the bar shows that, and after a failure. */
const wordsOf = ({ attachment, problem, progress }: Upload) => {
  if (problem !== null) return null
  if (attachment) return 'Uploaded'
  if (progress === null) return 'Waiting'
  return progress === 1 ? 'Checking' : null
}

const State = ({ of: item }: { of: Upload }) => {
  const { name, problem, progress } = item
  const words = wordsOf(item)
  return (
    <>
      {problem !== null && (
        <span role="alert" className="text-xs text-destructive">
          {problem}
        </span>
      )}
      {problem === null && words === null && (
        <Progress percent={Math.floor((progress ?? 0) * 100)} label={`Uploading ${name}`} />
      )}
      {/* Present from the start, so that each change is announced. */}
      <span role="status" className="text-xs text-muted-foreground empty:sr-only">
        {words}
      </span>
    </>
  )
}
