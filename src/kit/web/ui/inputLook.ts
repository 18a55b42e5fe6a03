/** The look of every text control. At least 16 px on a phone, or iOS zooms in. */
export const inputLook =
  'w-full min-w-0 rounded-md border border-input bg-card px-3 text-base shadow-card transition-[border-color] md:text-sm ' +
  'hover:border-muted-foreground/60 focus-visible:border-ring focus-visible:outline-2 focus-visible:-outline-offset-1 ' +
  'aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive ' +
  'disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted-foreground [&[readonly]]:bg-muted'
