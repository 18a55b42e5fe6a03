/** Saves a text as a file. */
const download = (name: string, type: string, parts: readonly string[]): void =>
  downloadBlob(name, new Blob([...parts], { type }))

/** Safari begins to read the file some time after the click, and fails if its address is gone by then. */
const keptMs = 60_000

/** Saves the server's answer as a file, byte for byte. */
export const downloadBlob = (name: string, blob: Blob): void => {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}

export const downloadText = (name: string, text: string): void => download(name, 'text/plain;charset=utf-8', [text])

/** Begins with a byte order mark, without which spreadsheets do not read UTF-8. */
export const downloadCsv = (name: string, csv: string | readonly string[]): void =>
  download(name, 'text/csv;charset=utf-8', ['\uFEFF', csv].flat())

export const downloadJson = (name: string, value: unknown): void =>
  download(name, 'application/json', [JSON.stringify(value, null, 2)])
