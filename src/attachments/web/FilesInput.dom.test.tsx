import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Queries } from '../../testing/web/Queries.tsx'
import { FilesInput } from './FilesInput.tsx'
import type { Upload } from './useUploads.ts'

const uploadOf = (name: string): Upload => ({
  key: name,
  name,
  file: null,
  addedAt: null,
  attachment: null,
  sentAt: null,
  progress: null,
  problem: null,
  refused: false,
})

const Screen = ({ most, names }: { most: number; names: string[] }) => {
  const [items, setItems] = useState(names.map(uploadOf))
  const uploads = {
    items,
    ids: [],
    pending: false,
    add: (files: readonly File[]) => setItems(all => [...all, ...files.map(({ name }) => uploadOf(name))]),
    remove: (key: string) => setItems(all => all.filter(item => item.key !== key)),
    retry: () => {},
    release: () => {},
  }
  return <FilesInput uploads={uploads} label="Files" most={most} />
}

const show = (most: number, ...names: string[]) => render(<Screen most={most} names={names} />, { wrapper: Queries })
const press = (name: string) => {
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
}
const pick = (...names: string[]) => {
  screen.getByRole('button', { name: 'Choose a picture' }).focus()
  fireEvent.change(screen.getByLabelText('Choose a picture', { selector: 'input' }), {
    target: { files: names.map(name => new File(['a'], name, { type: 'image/png' })) },
  })
}
const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim()

test.each([1, 2])('of at most %i, the focus goes to the picker when a file is removed', most => {
  show(most, 'a.png')
  press('Remove a.png')
  expect(focused()).toBe('Choose a picture')
})

test('the focus goes to the last file when no more can be picked, and stays while they can', () => {
  show(2)
  pick('a.png')
  expect(focused()).toBe('Choose a picture')
  pick('b.png')
  expect(focused()).toBe('Remove b.png')
})

test('a message says that not all files fit, until the next change', () => {
  show(2, 'a.png')
  const status = screen.getAllByRole('status').at(-1)!
  expect(status.textContent).toBe('')
  pick('b.png', 'c.png', 'd.png')
  expect(screen.getAllByRole('button').map(button => button.getAttribute('aria-label'))).toEqual([
    'Remove a.png',
    'Remove b.png',
  ])
  expect(status.textContent).toBe('Only some of the 3 files were added. You can add up to 2 here.')
  press('Remove b.png')
  expect(status.textContent).toBe('')
})
