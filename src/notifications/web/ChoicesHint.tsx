/** Above the choices, and in the same place in the document (src/app/web/screenShells.tsx). */
export const ChoicesHint = ({ saved = false }: { saved?: boolean }) => (
  <p aria-live="polite" className="text-muted-foreground">
    {/* In one piece, as in the document: two text nodes are a fraction wider. */}
    {`${saved ? 'Saved.' : 'Changes are saved automatically.'} Digests are sent at 8 AM in your time zone, the weekly one on Mondays, and only if there is something new.`}
  </p>
)
