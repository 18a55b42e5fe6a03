export type ShownChanges = { added: string[]; removed: string[] }

/** The lines of the change list, without its header. */
export const changesIn = (csv: string): ShownChanges => {
  const lines = csv.split(/\r?\n/).slice(1).filter(Boolean)
  const of = (change: 'ADD' | 'REMOVE') =>
    lines.filter(line => line.endsWith(`,${change}`)).map(line => line.slice(0, -change.length - 1).replace(/^'/, ''))
  return { added: of('ADD'), removed: of('REMOVE') }
}
