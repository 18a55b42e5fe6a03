/** Keeps its place until the line is known, so that nothing below it moves. */
const unknown = '\u00a0'

export const LineFrame = ({ children = unknown }: { children?: string | undefined }) => (
  <p className="text-xs text-muted-foreground tabular-nums">{children}</p>
)
