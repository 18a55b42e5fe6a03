/** Hands a text to the browser as a file. Spreadsheets read CSV as UTF-8 only behind a byte order mark. */
export const downloadCsv = (name: string, csv: string): void => {
  const address = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
