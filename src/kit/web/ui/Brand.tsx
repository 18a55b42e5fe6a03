/** The logo and the name. */
export const Brand = () => (
  <span className="inline-flex items-center gap-2 text-base font-semibold tracking-tight">
    <img src="/favicon.svg" alt="" width={24} height={24} />
    Fieldtest
  </span>
)
